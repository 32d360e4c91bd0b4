import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const script = fileURLToPath(new URL('run-attacks.ts', import.meta.url))

describe('in a runtime that forbids making code from text', () => {
  it('runs every hostile program with the wanted outcome', () => {
    const output = execFileSync(
      process.execPath,
      ['--disallow-code-generation-from-strings', script],
      { encoding: 'utf8' },
    )
    expect(JSON.parse(output)).toEqual({ codeGeneration: 'refused', ran: 96, unwanted: [] })
  })
})
