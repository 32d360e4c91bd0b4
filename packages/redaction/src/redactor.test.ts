import { describe, expect, test } from 'vitest'
import { createRedactor } from './redactor.ts'

describe('redactText', () => {
  test('gives back the very same text when it holds no secret', () => {
    const text = 'nothing to see'
    expect(createRedactor({ secrets: ['swordfish'] }).redactText(text)).toBe(text)
    expect(createRedactor().redactText(text)).toBe(text)
  })

  test('takes out every occurrence', () => {
    const { redactText } = createRedactor({ secrets: ['swordfish'] })
    expect(redactText('swordfish and swordfish')).toBe('[redacted] and [redacted]')
  })
})

describe('redactJson', () => {
  test('gives nothing back when there is no secret', () => {
    const { redactJson } = createRedactor({ secrets: ['swordfish'] })
    expect(redactJson({ a: 'b' }, '{"a":"b"}')).toBeUndefined()
  })

  test('keeps what is called __proto__ a property of its own', () => {
    const text = '{"__proto__":{"a":"swordfish"}}'
    const { redactJson } = createRedactor({ secrets: ['swordfish'] })
    expect(redactJson(JSON.parse(text), text)?.text).toBe('{"__proto__":{"a":"[redacted]"}}')
  })
})
