import { expect, test } from 'vitest'
import { contentOutput, isContentOutput, resultContent } from './index.ts'

const success = { success: true, truncated: false, durationMs: 1, callId: 'c' } as const

test('rich output reaches a model whole', () => {
  const blocks = [
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    { type: 'resource_link', uri: 'file:///a', name: 'a' },
  ] as const
  const output = contentOutput(blocks, { width: 1 })
  expect(isContentOutput(output)).toBe(true)
  expect(output.structuredContent).toEqual({ width: 1 })
  expect(resultContent({ ...success, output, outputText: '{}' })).toEqual(blocks)
})

test('a plain value becomes one text', () => {
  expect(resultContent({ ...success, output: { a: 1 }, outputText: '{"a":1}' })).toEqual([
    { type: 'text', text: '{"a":1}' },
  ])
})

test('a plain object that looks like rich output is not taken for it', () => {
  expect(isContentOutput({ content: [] })).toBe(false)
  expect(isContentOutput({ [Symbol.for('toolcrib.ContentOutput')]: true, content: 5 })).toBe(false)
})

test('asking a proxy that throws whether it is rich output does not throw', () => {
  const has = (): never => {
    throw new Error('trap')
  }
  expect(isContentOutput(new Proxy({}, { has }))).toBe(false)
})

test('a preview and an error become one text each', () => {
  const truncated = {
    success: true,
    truncated: true,
    preview: '"aa',
    outputBytes: 9,
    durationMs: 1,
    callId: 'c',
  } as const
  expect(resultContent(truncated)).toEqual([{ type: 'text', text: '"aa' }])
  const failure = {
    success: false,
    error: 'No',
    errorCode: 'TIMEOUT',
    durationMs: 1,
    callId: 'c',
  } as const
  expect(resultContent(failure)).toEqual([{ type: 'text', text: 'No' }])
})
