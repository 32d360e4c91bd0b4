import { createHash } from 'node:crypto'
import type { JsonValue } from '@toolcrib/registry'
import type { EvidenceRun, ToolIntent } from '@toolcrib/toolsmaker'
import { describe, expect, test } from 'vitest'
import { createAdderKind } from './adder-kind.ts'
import { adderIntent, agent, openWorkshop } from './bench-of-tests.ts'

const examples = (count: number): NonNullable<ToolIntent['examples']> =>
  Array.from({ length: count }, (_, value) => ({ input: { value } }))

interface Recorded {
  readonly status: string
  readonly evidence: readonly EvidenceRun[]
  /** Of all rows of the proposal. */
  readonly logBytes: number
  readonly contentBytes: number
}

/** Proposes a tool of so many examples; each of its runs is what is said. */
async function propose(
  count: number,
  of: (index: number) => Partial<EvidenceRun>,
): Promise<Recorded> {
  const kind = createAdderKind({
    gatherEvidence: ({ spec }) =>
      spec.examples.map(({ input }, index) => ({
        input,
        pass: true,
        durationMs: 1,
        origin: 'author',
        ...of(index),
      })),
  })
  const { maker } = await openWorkshop({ kinds: [kind] })
  const { report, spec, status } = await maker.buildToolFromIntent(
    adderIntent({ examples: examples(count) }),
    { principal: agent },
  )
  const events = (await maker.history(spec.name)).map(({ event }) => event)
  const content = events.find((event) => event?.type === 'tool_build_generated')
  return {
    status,
    evidence: report.evidence,
    logBytes: Buffer.byteLength(JSON.stringify(events)),
    contentBytes: Buffer.byteLength(JSON.stringify(content)),
  }
}

const room = 12_288
const long = (mark: string | number): string => `${mark}${'x'.repeat(3_900)}`
const hashOf = (value: JsonValue): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex')

describe('what a report keeps of what came out', () => {
  test('is all of it, for as much as a few runs give', async () => {
    const { evidence } = await propose(3, (index) => ({ actual: long(index) }))
    expect(evidence.map(({ actual }) => actual)).toEqual([long(0), long(1), long(2)])
  })

  test('is bounded for all runs together; what is left out is told with its hash', async () => {
    const { contentBytes, evidence, logBytes, status } = await propose(50, (index) => ({
      actual: long(index),
    }))
    expect(status).toBe('activated')
    expect(evidence).toHaveLength(50)
    expect(evidence[0]?.actual).toBe(long(0))
    expect(evidence[49]?.actual).toBe(
      `(left out: ${long(49).length + 2} characters of JSON with the SHA-256 ${hashOf(long(49))}; too much to be recorded)`,
    )
    expect(logBytes).toBeLessThan(2 * room + 20 * contentBytes)
  })

  test('is bounded also for errors, for inputs that were made and for what the host was asked', async () => {
    const operations = Array.from({ length: 200 }, () => ({
      operation: 'http.request',
      argument: 'x'.repeat(300),
      answer: 'none' as const,
    }))
    for (const run of [
      { error: 'e'.repeat(2_000) },
      { operations },
      { origin: 'generated' as const, input: { text: long('') } },
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- three of them
      const { contentBytes, logBytes } = await propose(50, () => run)
      expect(logBytes).toBeLessThan(2 * room + 20 * contentBytes)
    }
    const { evidence } = await propose(50, () => ({ operations }))
    // Which they were is kept longer than what they were asked with.
    const first = evidence[0]?.operations ?? []
    expect(first.length).toBeGreaterThan(150)
    expect(first[0]?.argument).toBe('x'.repeat(300))
    expect(first.at(-2)?.argument).toBe('(left out: too much to be recorded)')
    expect(evidence[49]?.operations).toEqual([
      {
        operation: 'http.request',
        argument: expect.stringMatching(/^\(left out, with 199 more operations/) as string,
        answer: 'none',
      },
    ])
  })

  test('shows runs that failed first, and at least how they begin', async () => {
    const { evidence, status } = await propose(50, (index) => ({
      actual: long(index),
      pass: index < 45,
    }))
    expect(status).toBe('rejected')
    expect(evidence[0]?.actual).toMatch(/^\(left out: /)
    expect(evidence[45]?.actual).toBe(long(45))
    for (const { actual } of evidence.slice(45)) expect(actual).toMatch(/^4\dx{190}/)
  })

  test('grows with what the author wrote, and short outputs are always kept', async () => {
    const { evidence } = await propose(50, (index) => ({ actual: 'y'.repeat(190) + index }))
    expect(evidence.map(({ actual }) => actual)).not.toContainEqual(
      expect.stringMatching(/left out/),
    )
  })
})
