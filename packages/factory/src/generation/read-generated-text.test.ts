import { describe, expect, test } from 'vitest'
import { readGeneratedText } from './read-generated-text.ts'

const workflow = {
  name: 'Hello',
  nodes: [{ name: 'Call', parameters: { note: 'a { and a "quote\\" in a text' } }],
  connections: {},
  settings: {},
}
const whole = { description: 'Says hello', inputs: {}, workflow }
const text = JSON.stringify(whole)
const pretty = JSON.stringify(whole, null, 2)

const problems = (written: string, isCut = false): string => {
  const reading = readGeneratedText(written, { isCut })
  return reading.ok ? 'read' : reading.problems.map(({ message }) => message).join(' ')
}

describe('what is meant is found', () => {
  test.each([
    ['alone', text],
    ['over many lines', pretty],
    ['in a fence', `\`\`\`json\n${pretty}\n\`\`\``],
    ['in a fence without an end', `\`\`\`json\n${pretty}`],
    ['between prose', `Here it is, with {{ $json.body.x }} and { braces }:\n${text}\nDone.`],
    ['in a list', `[${text}]`],
    ['twice, the same', `${text}\n\nOnce more:\n${pretty}`],
    ['beside other objects', `{"thinking": true}\n${text}\n{"done": {"yes": 1}}`],
    ['behind marks of a byte order', `\uFEFF${text}`],
  ])('%s', (_how, written) => {
    const reading = readGeneratedText(written)
    expect(reading).toMatchObject({ ok: true, tool: { ...whole, isBare: false, repairs: [] } })
  })

  test.each([
    ['trailing commas', pretty.replaceAll('}\n', '},\n').replace(/,\n$/, '')],
    ['comments', pretty.replace('"inputs"', '// what it takes\n"inputs"')],
    ['keys without quotes', pretty.replace('"inputs"', 'inputs')],
    ['texts in single quotes', text.replace('"Says hello"', "'Says hello'")],
  ])('with %s, and that is said', (_how, written) => {
    const reading = readGeneratedText(written)
    expect(reading).toMatchObject({
      ok: true,
      tool: { workflow, repairs: [expect.stringContaining('not quite JSON')] },
    })
  })

  test('a workflow without what belongs around it', () => {
    expect(readGeneratedText(JSON.stringify(workflow))).toMatchObject({
      ok: true,
      tool: { workflow, isBare: true },
    })
  })

  test('unknown keys are told, names of prototypes among them', () => {
    const written = `{"__proto__": {"workflow": 1}, "steps": [], "workflow": ${JSON.stringify(workflow)}}`
    const reading = readGeneratedText(written)
    expect(reading).toMatchObject({ ok: true, tool: { otherKeys: ['__proto__', 'steps'] } })
    expect(({} as { workflow?: unknown }).workflow).toBeUndefined()
  })
})

describe('nothing is guessed', () => {
  test('what was cut off is not completed, wherever it was cut', () => {
    for (let length = 1; length < text.length; length += 1)
      expect(readGeneratedText(text.slice(0, length)).ok, text.slice(0, length)).toBe(false)
  })

  test.each([
    ['nothing', '', 'There is no JSON object'],
    ['prose', 'I cannot do that { sorry }', 'There is no JSON object'],
    ['an object of something else', '{"error": "no"}', 'has a "workflow" with a list of "nodes"'],
    ['a line break in a text', text.replace('Says hello', 'Says\nhello'), 'has a "workflow"'],
    ['nodes that are no list', '{"workflow": {"nodes": {}}}', 'with a list of "nodes"'],
    ['an object that never ends', text.slice(0, -1), 'never ends'],
    [
      'two workflows',
      `${text} ${text.replace('Says hello', 'Says goodbye')}`,
      '2 different workflows',
    ],
    ['a second one that never ends', `${text} ${text.slice(0, -5)}`, 'another, unfinished'],
  ])('%s', (_what, written, message) => {
    expect(problems(written)).toContain(message)
  })

  test('that a model was cut off is said', () => {
    expect(problems(text.slice(0, -1), true)).toContain('cut off')
    expect(problems('First I', true)).toContain('cut off')
    // The object was there before the cut.
    expect(problems(`${text}\nI chose this beca`, true)).toBe('read')
  })
})

describe('a hostile text costs little', () => {
  test('a text at the limit is read, one character more is not', () => {
    const padded = text.padEnd(400_000)
    expect(problems(padded)).toBe('read')
    expect(problems(`${padded} `)).toContain('400001 characters; at most 400000 are read')
    expect(problems('x'.repeat(20_000_000))).toContain('20000000 characters')
  })

  const deep = (depth: number): string =>
    `{"workflow": {"nodes": [${'['.repeat(depth)}${']'.repeat(depth)}]}}`

  test('nesting at the limit is read, one level more is not', () => {
    expect(problems(deep(61))).toBe('read')
    expect(problems(deep(62))).toContain('nested deeper')
  })

  test.each([
    ['nested lists', '{"a":'.concat('['.repeat(399_000))],
    ['nested objects', '{"a":'.repeat(79_000)],
    ['closed nested lists', deep(190_000)],
    ['many opening braces', '{"'.repeat(199_000)],
    ['many small objects', '{"a":1}'.repeat(57_000)],
    ['many unfinished keys', '{a:'.repeat(130_000)],
    ['spaces behind a brace', `{${' '.repeat(399_000)}`],
    ['spaces behind many braces', `{${' '.repeat(100)}`.repeat(3_900)],
    ['a word behind a brace', `{${'a'.repeat(399_000)}`],
    ['quotes', '{"workflow":"'.concat('\\"'.repeat(199_000))],
    ['half a surrogate', `{"workflow": {"nodes": ["\uD800"]}} ${'\uD800'.repeat(10)}`],
    ['commas', `{"workflow": {"nodes": [${',,'.repeat(190_000)}]}}`],
    ['quotes of two kinds', `{"workflow": {"nodes": [${'\'"'.repeat(99_000)}]}}`],
  ])('%s', (_what, written) => {
    const started = process.cpuUsage()
    readGeneratedText(written)
    // Some milliseconds are usual; what is not bounded takes minutes.
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5_000)
  })
})
