import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkSource } from '../src/checks/check-source.ts'
import type { SourcePowers, SourceProblem } from '../src/source/source-problem.ts'
import { acceptedSources, rejectedSources } from './code-static-own-cases.ts'

interface Corpus {
  readonly powers: {
    readonly capabilities: readonly string[]
    readonly paths: readonly string[]
    readonly domains: readonly string[]
    readonly secrets: readonly string[]
  }
  readonly cases: readonly {
    readonly id: string
    readonly what: string
    readonly source: string | { readonly repeat: readonly [string, string, number] }
    readonly verdict: 'reject' | 'accept' | 'either'
    readonly rules?: readonly string[]
  }[]
}

const corpus = JSON.parse(
  readFileSync(new URL('code-static-cases.json', import.meta.url), 'utf8'),
) as Corpus

const powers: SourcePowers = {
  form: 'function',
  capabilities: corpus.powers.capabilities,
  allowedPaths: corpus.powers.paths,
  allowedDomains: corpus.powers.domains,
  secrets: corpus.powers.secrets,
  callees: [],
  modules: [],
}

async function errorsOf(source: string): Promise<readonly SourceProblem[]> {
  return (await checkSource(source, powers)).filter(({ severity }) => severity === 'error')
}

function textOf(source: Corpus['cases'][number]['source']): string {
  if (typeof source === 'string') return source
  const [head, part, count] = source.repeat
  return head + part.repeat(count)
}

describe('the corpus of sources', () => {
  for (const { id, rules = [], source, verdict, what } of corpus.cases)
    it(`${verdict === 'either' ? 'answers' : `${verdict}s`} ${what} (${id})`, async () => {
      const errors = await errorsOf(textOf(source))
      if (verdict === 'accept') expect(errors).toEqual([])
      if (verdict !== 'reject') return
      expect(errors.map(({ rule }) => rule)).not.toEqual([])
      expect(rules).toContain(errors[0]?.rule)
    })
})

describe('further sources', () => {
  for (const [what, source, rule] of rejectedSources)
    it(`refuses ${what} (${rule})`, async () => {
      const errors = await errorsOf(source)
      expect(errors.map((problem) => problem.rule)).toContain(rule)
      for (const { column, line, message } of errors) {
        expect(line).toBeLessThanOrEqual(source.split('\n').length)
        expect(column).toBeLessThanOrEqual((source.split('\n')[line - 1] ?? '').length + 1)
        expect(message).toMatch(/^[\p{L}"].{10,600}\.$/u)
      }
    })

  for (const [what, source] of acceptedSources)
    it(`accepts ${what}`, async () => {
      expect(await errorsOf(source)).toEqual([])
    })
})
