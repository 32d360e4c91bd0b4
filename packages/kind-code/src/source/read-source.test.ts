import { describe, expect, it } from 'vitest'
import { checkSource } from '../checks/check-source.ts'
import type { SourcePowers } from './source-problem.ts'
import { SourceSyntaxError } from './source-syntax-error.ts'
import { stripTypes } from './strip-types.ts'

const powers: SourcePowers = {
  form: 'function',
  capabilities: [],
  allowedPaths: [],
  allowedDomains: [],
  secrets: [],
  callees: [],
  modules: [],
}
const good = 'export default (input: { a: string }) => input.a'
/** The parser tries each level twice. */
const endless = `x = ${'<T>('.repeat(40)}a${')'.repeat(40)}`
const large = (part: string): string => `${part.repeat(65_000 / part.length)}\n${good}`

/** Sources that keep a parser or the analysis busy. */
const slow: readonly string[] = [
  endless,
  `x = ${'('.repeat(60_000)}`,
  large('Object.a.b.c.d.e.f.g;\n'),
  large('{let a;{let b}}\n'),
]

describe('the reading of sources', () => {
  it('leaves the host free, whatever a source does', async () => {
    await stripTypes(good)
    let turns = 0
    const clock = setInterval(() => (turns += 1), 20)
    const found = await Promise.all(
      slow.map((source) => checkSource(source, powers, { timeoutMs: 400 })),
    )
    clearInterval(clock)
    expect(found.slice(0, 2).map((problems) => problems[0]?.rule)).toEqual(['size', 'size'])
    // The slow one alone takes 700 ms; a host that waited for it would have had no turn. Delays are no measure on a busy machine.
    expect(turns).toBeGreaterThan(10)
  })

  it('does not let good sources wait for the whole time of slow ones', async () => {
    const order: string[] = []
    const note = (what: string) => (): void => void order.push(what)
    await Promise.all([
      stripTypes(endless, { timeoutMs: 1_000 }).then(note('slow'), note('slow')),
      stripTypes(good).then(note('good')),
      stripTypes(good, { isFirst: true }).then(note('first')),
    ])
    // The one that is first waits for the one that runs, and no other.
    expect(order).toEqual(['first', 'good', 'slow'])
  })

  it('turns away more than it can keep, and reads on', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 205 }, () => stripTypes(good)))
    const failed = outcomes.flatMap((each) =>
      each.status === 'rejected' ? [each.reason as unknown] : [],
    )
    // One runs, 200 wait.
    expect(failed).toHaveLength(4)
    expect(failed[0]).toMatchObject({
      code: 'KIND_FAILED',
      message: expect.stringContaining('Too many') as string,
    })
    expect(await stripTypes(good)).toHaveLength(good.length)
  })

  it('gives up waiting at once when the signal aborts', async () => {
    const controller = new AbortController()
    const running = stripTypes(endless, { timeoutMs: 200, signal: controller.signal })
    const waiting = stripTypes(good, { signal: controller.signal })
    const other = stripTypes(good)
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    await expect(waiting).rejects.toThrow('enough')
    await expect(stripTypes(good, { signal: controller.signal })).rejects.toThrow('enough')
    expect(await other).toHaveLength(good.length)
  })

  it('survives a source that takes all memory of its thread', async () => {
    const greedy = `x = ${'a?(b):c=>'.repeat(2_000)}d`
    await expect(stripTypes(greedy, { timeoutMs: 200 })).rejects.toThrow(SourceSyntaxError)
    expect(await stripTypes(good)).toHaveLength(good.length)
  })
})
