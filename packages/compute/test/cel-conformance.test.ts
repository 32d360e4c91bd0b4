import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compileCompute } from '../src/index.ts'
import { outcomeOf } from './attack-runner.ts'
import { celReasonTable, celSectionTable, readTable, sortCelCases } from './case-tables.ts'
import { type AdaptedCase, adaptCelCase } from './cel-conformance/adapt-cel-case.ts'
import { readCelCases } from './cel-conformance/cel-case.ts'

const run = ({
  program,
  args,
}: Pick<AdaptedCase, 'args' | 'program'>): ReturnType<typeof outcomeOf> =>
  outcomeOf(() => compileCompute(program).run(args))
const fails = (adapted: Pick<AdaptedCase, 'args' | 'program'>): boolean => 'error' in run(adapted)

const running = readCelCases().flatMap((celCase) => {
  const adapted = adaptCelCase(celCase, fails)
  if (typeof adapted === 'string') return []
  return [{ id: celCase.id, expression: adapted.program.steps[0].value, adapted }]
})

describe('the conformance suite of CEL', () => {
  it.each(running)('$id: $expression', ({ adapted }) => {
    const outcome = run(adapted)
    if (adapted.wanted !== undefined) return expect(outcome).toEqual(adapted.wanted)
    // Any refusal of ours counts where CEL wants an error, but nothing of the host.
    expect(outcome).toEqual({ error: expect.not.stringContaining('host error') })
    return undefined
  })

  it('runs for the most part of what the language has, and gives every other case a reason', () => {
    expect(running.length).toBeGreaterThanOrEqual(850)
    expect(readCelCases()).toHaveLength(2344)
  })

  it('is counted in the docs, by section and by reason', () => {
    const page = readFileSync(new URL('../docs/cel-conformance.md', import.meta.url), 'utf8')
    const sorted = sortCelCases(fails)
    expect(readTable(page, 'By section')).toEqual(celSectionTable(sorted))
    expect(readTable(page, 'By reason')).toEqual(celReasonTable(sorted))
  })
})
