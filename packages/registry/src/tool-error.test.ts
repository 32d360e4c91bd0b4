import { expect, test } from 'vitest'
import { ToolError, isToolErrorCode, toolErrorCatalogue } from './index.ts'

test('an error is recognised by its code and by its brand, not by its class', () => {
  const error = new ToolError('TOOL_NOT_FOUND', 'No tool', { data: { name: 'x' } })
  expect(ToolError.is(error)).toBe(true)
  expect(ToolError.is(error, 'TOOL_NOT_FOUND')).toBe(true)
  expect(ToolError.is(error, 'TOOL_EXISTS')).toBe(false)
  const fromAnotherCopy = Object.assign(new Error('Taken'), {
    [Symbol.for('toolcrib.ToolError')]: true,
    code: 'TOOL_EXISTS',
  })
  expect(ToolError.is(fromAnotherCopy, 'TOOL_EXISTS')).toBe(true)
})

test.for([null, undefined, 'TOOL_NOT_FOUND', {}, new Error('x'), { code: 'TOOL_NOT_FOUND' }])(
  '%j is not a ToolError',
  (value) => {
    expect(ToolError.is(value)).toBe(false)
  },
)

const broken = (): never => {
  throw new Error('trap')
}

test.for([
  ['a proxy that throws', new Proxy({}, { has: broken, get: broken })],
  [
    'a brand with a code that is no text',
    { [Symbol.for('toolcrib.ToolError')]: true, code: 5, message: '' },
  ],
  ['a brand without a message', { [Symbol.for('toolcrib.ToolError')]: true, code: 'TIMEOUT' }],
] as [string, object][])('%s is not a ToolError, and asking does not throw', ([, value]) => {
  expect(ToolError.is(value)).toBe(false)
})

test('an error keeps its cause and shows neither cause nor stack as JSON', () => {
  const cause = new Error('secret detail')
  const error = new ToolError('TOOL_FAILED', 'It failed', { cause })
  expect(error.cause).toBe(cause)
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'ToolError',
    code: 'TOOL_FAILED',
    message: 'It failed',
    data: {},
  })
})

test('inherited names are not codes', () => {
  expect(isToolErrorCode('TIMEOUT')).toBe(true)
  expect(isToolErrorCode('constructor')).toBe(false)
  expect(isToolErrorCode(5)).toBe(false)
})

test('every code says what it means in a sentence', () => {
  for (const [code, meaning] of Object.entries(toolErrorCatalogue)) {
    expect(code).toMatch(/^[A-Z_]+$/)
    expect(meaning).toMatch(/^[A-Z].*\.$/)
  }
})
