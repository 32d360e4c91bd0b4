import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hasChromium, requiresChromium, runInStrictPage } from './strict-page.ts'

const attackFile = '../packages/compute/test-cases/attacks.json'

describe('in a page with a strict content security policy', () => {
  it('Chromium is there to run the tests, at least in CI', ({ skip }) => {
    skip(
      !hasChromium && !requiresChromium,
      'No Chromium was found: set CHROMIUM_PATH to run the tests of this file',
    )
    expect(hasChromium).toBe(true)
  })

  it.runIf(hasChromium)('registry, redaction, invoke and compute run', async () => {
    expect(await runInStrictPage('test/browser-page.ts')).toEqual({
      problems: [],
      outcome: {
        evaluates: 'refused',
        output: 31.5,
        logged: 'completed',
        redacted: 'dXNlcj[redacted]=',
        hash: 64,
      },
    })
  })

  it.runIf(hasChromium)(
    'all attacks and public suites of compute have the wanted outcome',
    async () => {
      const { outcome, problems } = await runInStrictPage('packages/compute/test/runtime-page.ts')
      expect(outcome).toMatchObject({ codeGeneration: 'refused', unwanted: [] })
      const { cases } = JSON.parse(readFileSync(new URL(attackFile, import.meta.url), 'utf8')) as {
        cases: unknown[]
      }
      const { attacks, suiteCases } = outcome as { attacks: number; suiteCases: number }
      expect(attacks).toBeGreaterThanOrEqual(cases.length + 500)
      expect(suiteCases).toBeGreaterThanOrEqual(790)
      expect(problems).toEqual([])
    },
  )
})
