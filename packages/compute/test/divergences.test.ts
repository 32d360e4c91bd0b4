import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import divergences from '../test-cases/divergences.json' with { type: 'json' }
import { divergenceTable, divergentCases, readTable } from './case-tables.ts'
import { evaluateExpression } from './suite-runner.ts'

const wantedOf = ({ suite, ours }: (typeof divergentCases)[number]): unknown =>
  suite.error === true ? ours : { value: suite.value }

describe('cases of public suites that disagree with the language', () => {
  it.each(divergentCases)('$id: $expression ($decision)', (divergence) => {
    const { decision, expression, variables, ours } = divergence
    expect(evaluateExpression(expression, variables)).toEqual(ours)
    if (decision === 'agrees_now') expect(ours).toEqual(wantedOf(divergence))
    else if (divergence.suite.error !== true) expect(ours).not.toEqual(wantedOf(divergence))
    else expect(ours).toHaveProperty('value')
  })

  const rewritten = divergentCases.filter(({ instead }) => instead !== undefined)
  it.each(rewritten)('$id: $instead says what the suite means', (divergence) => {
    const { instead = '', variables } = divergence
    expect(evaluateExpression(instead, variables)).toEqual({ value: divergence.suite.value })
  })

  it('are all there, each with an id of its own under a decision of the table', () => {
    expect(divergentCases).toHaveLength(676)
    expect(new Set(divergentCases.map(({ id }) => id)).size).toBe(676)
    const used = new Set(divergentCases.map(({ decision }) => decision))
    expect([...used].toSorted()).toEqual(Object.keys(divergences.decisions).toSorted())
  })

  it('are counted in the docs, decision by decision', () => {
    const page = readFileSync(new URL('../docs/divergences.md', import.meta.url), 'utf8')
    expect(readTable(page, 'The decisions')).toEqual(divergenceTable())
  })
})
