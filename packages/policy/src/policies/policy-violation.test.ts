import { readFileSync } from 'node:fs'
import { ToolError } from '@toolcrib/registry'
import { describe, expect, test } from 'vitest'
import { ToolPolicyViolation, policyRules } from './policy-violation.ts'

describe('a violation', () => {
  const cause = new Error('first')
  const violation = new ToolPolicyViolation({
    rule: 'http.domain',
    tried: 'reach "evil.test"',
    howToAsk: 'Ask for it.',
    cause,
  })

  test('says what was tried, which rule forbids it, and how to ask for it', () => {
    expect(violation.message).toBe(
      `Refused: reach "evil.test". ${policyRules['http.domain']} Ask for it.`,
    )
    expect(violation.rule).toBe('http.domain')
    expect(violation.cause).toBe(cause)
    expect(violation.name).toBe('ToolPolicyViolation')
  })

  test('can be read by programs and survives JSON', () => {
    expect(JSON.parse(JSON.stringify(violation))).toEqual({
      name: 'ToolPolicyViolation',
      code: 'POLICY_VIOLATION',
      message: violation.message,
      data: { rule: 'http.domain', tried: 'reach "evil.test"', howToAsk: 'Ask for it.' },
    })
  })

  test('is known from every copy of the package', () => {
    const other = new ToolError('POLICY_VIOLATION', 'x', { data: { rule: 'fs.path' } })
    expect(ToolPolicyViolation.isViolation(violation)).toBe(true)
    expect(ToolPolicyViolation.isViolation(other)).toBe(true)
    for (const value of [
      new ToolError('POLICY_VIOLATION', 'x'),
      new ToolError('TOOL_FAILED', 'x', { data: { rule: 'fs.path' } }),
      new Error('x'),
      { rule: 'fs.path' },
      null,
    ])
      expect(ToolPolicyViolation.isViolation(value)).toBe(false)
  })
})

test('the README has exactly the rules, each with its words', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [, section = ''] = readme.split(/^## Rules$/m)
  const [table = ''] = section.split(/^## /m)
  const rows = [...table.matchAll(/^\| `([a-z]+\.[a-z]+)` *\| (.*?) *\|$/gm)].map(
    ([, rule = '', words = '']) => [rule, words],
  )
  expect(Object.fromEntries(rows)).toEqual(policyRules)
})
