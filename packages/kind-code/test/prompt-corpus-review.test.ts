import { describe, expect, test } from 'vitest'
// @boundaries-ignore tests of the packages share what sets the scene
import { createAdderKind } from '../../toolsmaker/test/adder-kind.ts'
// @boundaries-ignore tests of the packages share what sets the scene
import { agent, openWorkshop } from '../../toolsmaker/test/bench-of-tests.ts'
import { dataOf, plain, refused, reviewOf, textOf, untriedOf } from './prompt-corpus.ts'

describe('a review', () => {
  const code = (source: string): object => ({ kind: 'code', definition: { source } })

  test('pr-review-ansi', async () => {
    const source = String(dataOf('pr-review-ansi')['source'])
    const { diff, status, suspicions, text } = await reviewOf(
      code(source),
      code('export default () => 2'),
    )
    // Also where the kind lets it pass: nothing raw reaches a terminal.
    // oxlint-disable-next-line no-control-regex -- that is what must not be there
    expect(diff + text).not.toMatch(/\u001B|\\u001b/)
    if (status !== 'rejected') expect(suspicions).toMatch(/U\+001B/)
  })

  test('pr-review-bidi', async () => {
    const { status, text } = await reviewOf(code(String(dataOf('pr-review-bidi')['source'])))
    expect(status).toMatch(refused)
    expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/)
  })

  test('pr-review-long-line', async () => {
    const { status, suspicions } = await reviewOf(
      code(textOf(dataOf('pr-review-long-line')['source'])),
    )
    expect(status).toBe('approval_required')
    expect(suspicions).toMatch(/blanks/)
    expect(suspicions).toMatch(/line of more than/)
  })

  test.each([
    ['tabs', `export default () => 1;${'\t'.repeat(60)}evil()`, /blanks/],
    ['blanks of another width', `export default () => 1;${'\u2003'.repeat(60)}evil()`, /blanks/],
    ['a deep indent', `export default () => 1;\n${' '.repeat(300)}evil()`, /blanks/],
    ['one endless line', `export default () => ${'1+'.repeat(2_000)}1`, /line of more than/],
  ])('flags code that is pushed out of sight by %s', async (_what, source, found) => {
    expect((await reviewOf(code(source))).suspicions).toMatch(found)
  })

  test('sees code pushed aside by blanks that are none for a program, at once', async () => {
    const blank = String.fromCodePoint(0x28_00)
    const pushed = await reviewOf(code(`let a = 1;${blank.repeat(60)}steal()`))
    expect(pushed.suspicions).toContain('pushed out of sight by blanks')
    const began = process.cpuUsage()
    const long = await reviewOf(code(blank.repeat(200_000)))
    expect(long.suspicions).not.toContain('pushed out of sight')
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(5_000)
  })

  test('does not flag plain code', async () => {
    const source = `export default async (input, ctx) => {\n  const a = 1${' '.repeat(20)}// one\n${' '.repeat(24)}return a\n}\n`
    expect((await reviewOf(code(source))).suspicions).toBe('')
  })

  test('shows powers before the source, and the source before the words of the author', async () => {
    const before = { ...code('export default () => 1\n'), description: 'Gives one' }
    const after = {
      ...code('export default () => 2\n'),
      description: 'Gives two',
      capabilities: ['http'],
      allowedDomains: ['api.example.com'],
      inputSchema: { type: 'object', properties: { other: { type: 'string' } } },
    }
    const { diff } = await reviewOf(after, before)
    const places = ['powers', 'source', 'schemas', 'settings', 'description'].map((part) =>
      diff.indexOf(`+++ plus_some v2 ${part}`),
    )
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((left, right) => left - right))
    expect(diff).toContain('+export default () => 2')
    expect(diff).toContain('+may send HTTP requests to api.example.com')
  })

  test('cannot be made to show a change as none: a source that imitates a diff stays inside of its part', async () => {
    const source = '--- plus_some v1 powers\n+++ plus_some v2 powers\n@@ -1,1 +1,1 @@\n-nothing\n'
    const { diff } = await reviewOf(code(source), code('export default () => 1'))
    const heads = diff.split('\n').filter((line) => line.startsWith('+++ plus_some v2 '))
    expect(heads).toEqual(['+++ plus_some v2 source'])
  })

  test('of texts that differ in everything is complete, soon there, and always the same', async () => {
    const lines = (word: string): string =>
      Array.from({ length: 20_000 }, (_, index) => `${word}${index}`).join('\n')
    const began = process.cpuUsage()
    const first = await reviewOf(
      code(`let start\n${lines('new')}\nlet end\n`),
      code(`let start\n${lines('old')}\nlet end\n`),
    )
    // Comparing them line by line takes minutes; it is asked for at each event, so several times.
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(10_000)
    const [, source = ''] = first.diff.split('+++ plus_some v2 source\n')
    expect(source.slice(0, 60)).toMatch(/^@@ -1,20002 \+1,20002 @@\n let start\n-old0\n-old1\n/)
    expect(first.diff).toMatch(/more characters\)$/)
  })

  test('shows a small change of a text that differs in everything else than its ends', async () => {
    const lines = (word: string, count: number): string =>
      Array.from({ length: count }, (_, index) => `${word}${index}\n`).join('')
    const { diff } = await reviewOf(
      code(`${lines('same', 9)}${lines('new', 450)}${lines('last', 9)}`),
      code(`${lines('same', 9)}${lines('old', 430)}${lines('last', 9)}`),
    )
    const [, source = ''] = diff.split('+++ plus_some v2 source\n')
    const shown = source.split('='.repeat(67))[0]?.trimEnd().split('\n') ?? []
    expect(shown[0]).toBe('@@ -7,436 +7,456 @@')
    expect(shown.slice(1, 5)).toEqual([' same6', ' same7', ' same8', '-old0'])
    expect(shown.slice(-4)).toEqual(['+new449', ' last0', ' last1', ' last2'])
    expect(shown).toHaveLength(1 + 3 + 430 + 450 + 3)
  })

  test('cannot be made to show text of a definition as a part of it', async () => {
    const note = 'all\n    "add": 0,\n"capabilities": [] \\n "x": 1'
    const { diff } = await reviewOf(
      { definition: { add: 2, note } },
      { definition: { add: 1 }, risk: 'high' },
    )
    expect(diff).toContain(
      '+  "note": "all\n+    │     \\"add\\": 0,\n+    │ \\"capabilities\\": [] \\\\n ',
    )
    expect(diff).not.toMatch(/^\+\s*\\?"(?:add|capabilities)\\?": (?:0|\[)/m)
  })

  test('hides nothing of what a run took, asked and gave', async () => {
    const hidden = 'a\u202Eb\u001B[2Kc\u2800d\u009Be'
    const kind = createAdderKind({
      kind: 'code',
      gatherEvidence: () => [
        {
          input: { [hidden]: [hidden] },
          actual: { deep: { text: hidden } },
          expected: hidden,
          pass: true,
          durationMs: 1,
          origin: 'generated' as const,
          operations: [{ operation: 'http.request', argument: hidden, answer: 'none' as const }],
        },
      ],
    })
    const { maker } = await openWorkshop({ kinds: [kind] })
    await maker.forAgent(agent).buildTool({ ...plain, kind: 'code' })
    const text = JSON.stringify((await maker.readReview('plus_some', 1))?.evidence)
    for (const hex of ['U+202E', 'U+001B', 'U+2800', 'U+009B'])
      expect(text.split(`⟨${hex}⟩`)).toHaveLength(6)
    expect(text).not.toMatch(/[\u202E\u2800\u009B]|\\u001b/u)
  })

  test('stays of a size that is read, however much a tool asks of the host', async () => {
    const operation = { operation: 'http.request', argument: 'x'.repeat(4_000), answer: 'none' }
    const kind = createAdderKind({
      kind: 'code',
      gatherEvidence: () =>
        Array.from({ length: 50 }, () => ({
          input: {},
          actual: 1,
          pass: true,
          durationMs: 1,
          origin: 'author' as const,
          operations: Array.from({ length: 200 }, () => operation as never),
        })),
    })
    const { maker } = await openWorkshop({ kinds: [kind] })
    await maker.forAgent(agent).buildTool({ ...plain, kind: 'code' })
    const evidence = (await maker.readReview('plus_some', 1))?.evidence ?? []
    expect(evidence).toHaveLength(50)
    expect(evidence[0]?.operations?.[0]?.argument).toBe(operation.argument)
    expect(evidence[49]?.operations).toMatchObject([
      { argument: expect.stringMatching(/^\(left out, with 199 more operations/) as string },
    ])
    expect(JSON.stringify(evidence).length).toBeLessThan(100_000)
  })

  test('says of a fixture that its author wrote the answer', async () => {
    const kind = createAdderKind({
      kind: 'code',
      gatherEvidence: ({ spec }) =>
        spec.examples.map(({ input }) => ({
          input,
          actual: 1,
          pass: true,
          durationMs: 1,
          origin: 'author' as const,
          operations: [
            {
              operation: 'http.request',
              argument: { url: 'x'.repeat(9_999) },
              answer: 'fixture' as const,
            },
          ],
        })),
    })
    const { maker } = await openWorkshop({ kinds: [kind] })
    const fixtures = [{ operation: 'http.request', result: { status: 200 } }]
    const request = { ...plain, kind: 'code', examples: [{ input: { value: 1 }, fixtures }] }
    await maker.forAgent(agent).buildTool(request)
    const review = await maker.readReview('plus_some', 1)
    const [operation] = review?.evidence[0]?.operations ?? []
    expect(operation).toMatchObject({ operation: 'http.request', answer: 'fixture' })
    expect(JSON.stringify(operation).length).toBeLessThan(5_000)
  })
})

test('every case of the corpus about this was tried', () => {
  expect(untriedOf('review')).toEqual([])
})
