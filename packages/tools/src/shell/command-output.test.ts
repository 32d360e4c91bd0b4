import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { CommandOutput } from './command-output.ts'

test('a character split over chunks is put together', () => {
  const output = new CommandOutput(100)
  for (const byte of Buffer.from('aé€😀')) output.add('stdout', Buffer.from([byte]))
  expect(output.encode('stdout', false)).toEqual({ text: 'aé€😀', encoding: 'utf8' })
})

test('bytes that are no UTF-8 come back as they were, as base64', () => {
  const output = new CommandOutput(100)
  const bytes = Buffer.from([0x66, 0xff, 0x00, 0xfe])
  output.add('stderr', bytes)
  expect(output.encode('stderr', false)).toEqual({
    text: bytes.toString('base64'),
    encoding: 'base64',
  })
})

test('a NUL and a byte order mark in a text stay', () => {
  const output = new CommandOutput(100)
  output.add('stdout', Buffer.from('\uFEFFa\0b'))
  expect(output.encode('stdout', false)).toEqual({ text: '\uFEFFa\0b', encoding: 'utf8' })
})

test('both streams share one limit, and the byte that passes it is what truncates', () => {
  const output = new CommandOutput(6)
  expect(output.add('stdout', Buffer.from('abc'))).toBe(true)
  expect(output.add('stderr', Buffer.from('def'))).toBe(true)
  expect(output.isTruncated).toBe(false)
  expect(output.add('stdout', Buffer.from('g'))).toBe(false)
  expect(output.isTruncated).toBe(true)
  expect(output.encode('stdout', true).text).toBe('abc')
  expect(output.encode('stderr', true).text).toBe('def')
})

test.each([
  ['a€', 2, 'a'],
  ['a€', 3, 'a'],
  ['a€', 4, 'a€'],
  ['é😀', 5, 'é'],
  ['abc', 2, 'ab'],
])('%s cut after %i bytes is text still', (text, length, kept) => {
  const output = new CommandOutput(length)
  output.add('stdout', Buffer.from(text))
  expect(output.encode('stdout', true)).toEqual({ text: kept, encoding: 'utf8' })
})

test('half a character at the end of output that was not cut is binary', () => {
  const output = new CommandOutput(10)
  output.add('stdout', Buffer.from('€').subarray(0, 2))
  expect(output.encode('stdout', false).encoding).toBe('base64')
})

test('bytes that come one by one take about as much memory as they are', () => {
  const bytes = randomBytes(300_000)
  const output = new CommandOutput(bytes.length)
  const kept = new Set<ArrayBufferLike>()
  const concat = vi.spyOn(Buffer, 'concat')
  for (const byte of bytes) {
    const stream = byte < 128 ? 'stdout' : 'stderr'
    output.add(stream, Buffer.from([byte]))
  }
  const stdout = output.encode('stdout', false)
  for (const [chunks] of concat.mock.calls) for (const chunk of chunks) kept.add(chunk.buffer)
  concat.mockRestore()
  expect(kept.size).toBeLessThan(20)
  expect(stdout.text).toBe(Buffer.from(bytes.filter((byte) => byte < 128)).toString('utf8'))
  expect(output.encode('stderr', false)).toEqual({
    text: Buffer.from(bytes.filter((byte) => byte >= 128)).toString('base64'),
    encoding: 'base64',
  })
})

test('small and big chunks keep their order', () => {
  const output = new CommandOutput(100_000)
  const parts = ['a', 'b', 'c'.repeat(5_000), 'd', 'e'.repeat(2_047), 'f'.repeat(2_048), 'g', 'h']
  for (let round = 0; round < 4; round += 1)
    for (const part of parts) output.add('stdout', Buffer.from(part))
  expect(output.encode('stdout', false).text).toBe(parts.join('').repeat(4))
})
