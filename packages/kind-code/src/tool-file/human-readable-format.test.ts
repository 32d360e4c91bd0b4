import { describe, expect, it } from 'vitest'
import { describeFormatProblems, fillHumanReadable } from './human-readable-format.ts'

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    'a b': { type: 'string' },
    items: { type: 'array', items: { $ref: '#/$defs/item' } },
    choice: { anyOf: [{ type: 'object', properties: { left: {} } }, { type: 'string' }] },
    free: { type: 'object' },
  },
  $defs: { item: { type: 'object', properties: { name: { type: 'string' } } } },
} as const

describe('a line for people', () => {
  it('is filled with values of the input by name and position', () => {
    const input = { city: 'Paris', items: [{ name: 'one' }], 'a b': true, n: { a: [1, 2] } }
    expect(fillHumanReadable('in ${input.city}: ${input.items[0].name}', input)).toBe(
      'in Paris: one',
    )
    expect(fillHumanReadable('${input["a b"]} ${ input.n } ${input[\'city\']}', input)).toBe(
      'true {"a":[1,2]} Paris',
    )
    expect(fillHumanReadable('all ${input}', 'text')).toBe('all text')
  })

  it('names what is not in the input', () => {
    expect(fillHumanReadable('${input.city} ${input.a.b[0]}', { a: {} })).toBe(
      '(no input.city) (no input.a.b[0])',
    )
  })

  it('is never evaluated', () => {
    for (const format of [
      '${1 + 1}',
      '${process.exit(1)}',
      '${input.a()}',
      '${input.a + 1}',
      '${`x`}',
    ])
      expect(fillHumanReadable(format, { a: () => 'called' })).toBe(format)
    expect(fillHumanReadable('${input.a}', { a: '${input.b}', b: 'never' })).toBe('${input.b}')
  })

  it('walks into no prototype and calls no getter', () => {
    let called = 0
    const input = {
      get now() {
        called += 1
        return 'called'
      },
      list: [1],
      text: 'abc',
    }
    for (const path of [
      'constructor',
      'constructor.name',
      '__proto__',
      'toString',
      'now',
      'list.length',
      'list.at',
      'text.length',
    ])
      expect(fillHumanReadable(`\${input.${path}}`, input)).toBe(`(no input.${path})`)
    expect(called).toBe(0)
  })

  it('shows values that cannot be written by their type', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic['self'] = cyclic
    expect(fillHumanReadable('${input}', cyclic)).toBe('(object)')
    expect(fillHumanReadable('${input.n}', { n: 1n })).toBe('(bigint)')
    expect(fillHumanReadable('${input.f}', { f: () => 1 })).toBe('function')
  })

  it('stays one short line whose hidden characters are shown', () => {
    const line = fillHumanReadable('a\n${input.x}', { x: 'b\nc\u001B[2K\u202Ed\u200B' })
    expect(line).toBe('a b c⟨U+001B⟩[2K⟨U+202E⟩d⟨U+200B⟩')
    expect(fillHumanReadable('${input.x}', { x: 'y'.repeat(1e6) })).toHaveLength(100)
    expect(fillHumanReadable('${input.x}'.repeat(40), { x: 'y'.repeat(90) })).toHaveLength(500)
    expect(fillHumanReadable('${input.x}', { x: '\uD800' })).toBe('\uFFFD')
  })

  it('has $${ for the characters themselves, and leaves what is not closed', () => {
    expect(fillHumanReadable('$${input.a} $5 ${input.a', { a: 1 })).toBe('${input.a} $5 ${input.a')
  })

  it('is read fast however it is written', () => {
    const start = process.cpuUsage()
    fillHumanReadable('${input'.repeat(10_000), {})
    fillHumanReadable('${input' + '.a'.repeat(50_000) + '}', {})
    describeFormatProblems('${input' + '[0]'.repeat(30_000), schema)
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2_000)
  })
})

describe('the check of a format', () => {
  it('accepts what the schema has, through references, choices and open objects', () => {
    expect(
      describeFormatProblems(
        '${input.city} ${input["a b"]} ${input.items[3].name} ${input.choice.left} ${input.free.x.y} ${input} $${x}',
        schema,
      ),
    ).toEqual([])
  })

  it('names placeholders that the schema has not', () => {
    expect(
      describeFormatProblems('${input.town} ${input.items.name} ${input.constructor}', schema),
    ).toEqual([
      'humanReadableFormat: the input has no input.town, which ${input.town} names.',
      'humanReadableFormat: the input has no input.items.name, which ${input.items.name} names.',
      'humanReadableFormat: the input has no input.constructor, which ${input.constructor} names.',
    ])
  })

  it('names placeholders of an unknown form, and too many', () => {
    expect(describeFormatProblems('${city} ${input.a + 1} ${', schema)).toEqual([
      expect.stringContaining('${city} is no placeholder'),
      expect.stringContaining('${input.a + 1} is no placeholder'),
      expect.stringContaining('${ is no placeholder'),
    ])
    expect(describeFormatProblems('${input}'.repeat(50), schema)).toEqual([])
    expect(describeFormatProblems('${input}'.repeat(51), schema)).toEqual([
      'humanReadableFormat has 51 placeholders; at most 50 are taken.',
    ])
  })

  it('stops at schemas that refer to themselves', () => {
    const circle = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }
    expect(describeFormatProblems('${input.x.y}', circle)).toEqual([])
  })

  it('stops at schemas whose choices multiply with each step', () => {
    const part = { additionalProperties: { $ref: '#/$defs/a' } }
    const schema40 = {
      $ref: '#/$defs/a',
      $defs: { a: { anyOf: Array.from({ length: 40 }, () => structuredClone(part)) } },
    }
    // Without a bound it would look at 40 to the power of 400 places.
    expect(describeFormatProblems(`\${input${'.a'.repeat(400)}}`, schema40)).toEqual([])
  })
})
