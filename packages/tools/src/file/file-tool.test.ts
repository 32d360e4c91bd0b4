import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FileGuard, createFileGuard } from '@toolcrib/policy/files'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ToolCaller, callerOf } from '../../test/call-tool.ts'
import type { FileOutput } from './file-output.ts'
import { createFileTool } from './file-tool.ts'

let outside: string
let workspace: string
let guard: FileGuard
let file: ToolCaller
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'file-tool-'))
  workspace = join(outside, 'workspace')
  mkdirSync(workspace)
  writeFileSync(join(outside, 'secret.txt'), 'SECRET')
  guard = createFileGuard({
    read: [workspace],
    write: [workspace],
    maxReadBytes: 5_242_880,
    maxWriteBytes: 300_000_000,
  })
  file = callerOf(createFileTool({ guard }))
})
afterEach(() => {
  guard.close()
  chmodSync(workspace, 0o700)
  rmSync(outside, { recursive: true })
})

const at = (path: string): string => join(workspace, path)
const run = async (input: object): Promise<FileOutput> => file.output<FileOutput>(input)
const result = async (input: object): Promise<FileOutput['result']> => (await run(input)).result

describe('the first steps', () => {
  test('write, read, append, exists, delete', async () => {
    const path = 'notes/a.txt'
    expect(await run({ operation: 'write', path, content: 'Grüße' })).toEqual({
      operation: 'write',
      path,
      result: true,
    })
    expect(await run({ operation: 'read', path })).toEqual({
      operation: 'read',
      path,
      result: 'Grüße',
      encoding: 'utf-8',
      bytes: 7,
    })
    expect(await result({ operation: 'append', path, content: '!' })).toBe(true)
    expect(readFileSync(at(path), 'utf8')).toBe('Grüße!')
    expect(await result({ operation: 'exists', path })).toBe(true)
    expect(await result({ operation: 'delete', path })).toBe(true)
    expect(await result({ operation: 'exists', path })).toBe(false)
  })

  test('list gives names, or details', async () => {
    writeFileSync(at('b.txt'), 'four')
    mkdirSync(at('a'))
    expect(await run({ operation: 'list', path: '.' })).toEqual({
      operation: 'list',
      path: '.',
      result: ['a', 'b.txt'],
    })
    chmodSync(at('b.txt'), 0o640)
    utimesSync(at('b.txt'), 1_800_000_000, 1_800_000_000)
    expect(await result({ operation: 'list', path: '.', details: true })).toEqual([
      expect.objectContaining({ name: 'a', type: 'folder' }),
      {
        name: 'b.txt',
        type: 'file',
        bytes: 4,
        mode: '0640',
        modifiedAt: '2027-01-15T08:00:00.000Z',
      },
    ])
  })

  test('an entry of which nothing can be told is listed all the same', async () => {
    const entries = [{ name: 'strange\ufffd' }]
    const odd = { ...guard, listFolder: async () => ({ entries, truncated: false }) }
    file = callerOf(createFileTool({ guard: odd }))
    expect(await result({ operation: 'list', path: '.', details: true })).toEqual(entries)
  })

  test('a long list is cut at the limit, and says so', async () => {
    for (let index = 0; index < 5; index += 1) writeFileSync(at(`f${index}`), '')
    file = callerOf(createFileTool({ guard, maxEntries: 5 }))
    expect(await run({ operation: 'list', path: '.' })).not.toHaveProperty('truncated')
    writeFileSync(at('f5'), '')
    expect(await run({ operation: 'list', path: '.' })).toMatchObject({
      truncated: true,
      result: expect.objectContaining({ length: 5 }) as unknown,
    })
  })

  test('stat, move, copy, mkdir', async () => {
    writeFileSync(at('a'), 'A')
    expect(await result({ operation: 'stat', path: 'a' })).toMatchObject({ type: 'file', bytes: 1 })
    expect(await result({ operation: 'copy', path: 'a', to: 'new/b' })).toBe(true)
    expect(await result({ operation: 'move', path: 'a', to: 'moved/c' })).toBe(true)
    expect(await result({ operation: 'mkdir', path: 'x/y' })).toBe(true)
    expect(readFileSync(at('new/b'), 'utf8')).toBe('A')
    expect(readFileSync(at('moved/c'), 'utf8')).toBe('A')
    expect(readdirSync(workspace)).toEqual(['moved', 'new', 'x'])
  })

  test('mkdir without parents makes one folder in one that is there', async () => {
    await run({ operation: 'mkdir', path: 'one', createParents: false })
    await run({ operation: 'mkdir', path: 'one/two', createParents: false })
    expect(statSync(at('one/two')).isDirectory()).toBe(true)
  })

  test('delete takes an empty folder too', async () => {
    mkdirSync(at('empty'))
    expect(await result({ operation: 'delete', path: 'empty' })).toBe(true)
    expect(readdirSync(workspace)).toEqual([])
  })
})

describe('encodings', () => {
  test.each([
    ['utf-8', 'Grüße', '4772c3bcc39f65'],
    ['utf-16le', 'Ä', 'c400'],
    ['latin1', 'Ä', 'c4'],
    ['ascii', 'A', '41'],
    ['base64', '/wD+', 'ff00fe'],
    ['hex', 'ff00', 'ff00'],
  ])('%s is written and read', async (encoding, content, bytes) => {
    await run({ operation: 'write', path: 'a', content, encoding })
    expect(readFileSync(at('a'), 'hex')).toBe(bytes)
    expect(await run({ operation: 'read', path: 'a', encoding })).toMatchObject({
      result: content,
      encoding,
    })
  })

  test('one that nobody knows is refused with those that work, and nothing is written', async () => {
    const failure = await file.failure({
      operation: 'write',
      path: 'a',
      content: 'x',
      encoding: 'utf-32',
    })
    expect(failure.toolErrorCode).toBe('ENCODING_UNSUPPORTED')
    expect(failure.error).toContain('utf-8, utf-16le, latin1, ascii, base64, hex')
    expect(readdirSync(workspace)).toEqual([])
  })

  test('a file that is no text says how it can be read', async () => {
    writeFileSync(at('a'), Buffer.from([0xff, 0x00, 0xfe]))
    const failure = await file.failure({ operation: 'read', path: 'a' })
    expect(failure.toolErrorCode).toBe('ENCODING_MISMATCH')
    expect(failure.error).toContain('base64')
    expect(await result({ operation: 'read', path: 'a', encoding: 'base64' })).toBe('/wD+')
  })

  test('content that the encoding cannot write leaves the file as it was', async () => {
    writeFileSync(at('a'), 'before')
    const input = { operation: 'write', path: 'a', content: 'zz', encoding: 'hex' }
    expect(await file.failure(input)).toMatchObject({ toolErrorCode: 'ENCODING_MISMATCH' })
    expect(readFileSync(at('a'), 'utf8')).toBe('before')
  })
})

describe('ranges', () => {
  test('go through a text from nextOffset to nextOffset without losing a character', async () => {
    const text = 'aß€😀'.repeat(50)
    writeFileSync(at('a'), text)
    let read = ''
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const part: FileOutput = await run({ operation: 'read', path: 'a', offset, length: 7 })
      expect(part).toMatchObject({ fileBytes: 500, truncated: part.nextOffset !== undefined })
      read += part.result as string
      offset = part.nextOffset
    }
    expect(read).toBe(text)
  })

  test('that begin inside a character, behind the end, or are too short for one say so', async () => {
    writeFileSync(at('a'), '😀😀')
    const problem = async (range: object): Promise<unknown> => {
      const { error, toolErrorCode } = await file.failure({
        operation: 'read',
        path: 'a',
        ...range,
      })
      return [toolErrorCode, /(?:offset|length): /.exec(error)?.[0]]
    }
    expect(await problem({ offset: 1 })).toEqual(['RANGE_INVALID', 'offset: '])
    expect(await problem({ offset: 9 })).toEqual(['RANGE_INVALID', 'offset: '])
    expect(await problem({ length: 3 })).toEqual(['RANGE_INVALID', 'length: '])
    expect(await result({ operation: 'read', path: 'a', offset: 8 })).toBe('')
    expect(await result({ operation: 'read', path: 'a', length: 4 })).toBe('😀')
    expect(await result({ operation: 'read', path: 'a', offset: 1, encoding: 'hex' })).toBe(
      '9f9880f09f9880',
    )
  })

  test('a file at the limit is read whole, one byte more comes in two parts', async () => {
    file = callerOf(createFileTool({ guard, maxReadBytes: 10 }))
    writeFileSync(at('a'), '0123456789')
    expect(await run({ operation: 'read', path: 'a' })).toMatchObject({
      result: '0123456789',
      truncated: false,
    })
    writeFileSync(at('a'), '0123456789x')
    expect(await run({ operation: 'read', path: 'a' })).toMatchObject({
      result: '0123456789',
      truncated: true,
      nextOffset: 10,
      fileBytes: 11,
    })
    expect(await run({ operation: 'read', path: 'a', length: 99 })).toMatchObject({ bytes: 10 })
    expect(await run({ operation: 'read', path: 'a', offset: 10, length: 99 })).toMatchObject({
      result: 'x',
      truncated: false,
    })
  })

  test('a guard with a smaller limit than the tool still reads small files', async () => {
    const small = createFileGuard({ read: [workspace], maxReadBytes: 10 })
    try {
      file = callerOf(createFileTool({ guard: small }))
      writeFileSync(at('a'), '0123456789')
      expect(await result({ operation: 'read', path: 'a' })).toBe('0123456789')
      writeFileSync(at('a'), '0123456789x')
      const failure = await file.failure({ operation: 'read', path: 'a' })
      expect(failure.errorCode).toBe('POLICY_VIOLATION')
      expect(failure.error).toContain('offset and length')
    } finally {
      small.close()
    }
  })

  test('of a file of 200 MB are read, and it is copied, in little memory', async () => {
    const size = 209_715_200
    const descriptor = openSync(at('big'), 'w')
    ftruncateSync(descriptor, size)
    writeSync(descriptor, 'the end', size - 7)
    closeSync(descriptor)
    const before = process.memoryUsage()
    let most = 0
    const watch = setInterval(() => {
      const { arrayBuffers, external } = process.memoryUsage()
      most = Math.max(most, arrayBuffers - before.arrayBuffers, external - before.external)
    }, 1)
    try {
      expect(
        await run({ operation: 'read', path: 'big', offset: size - 7, length: 100 }),
      ).toMatchObject({ result: 'the end', truncated: false, fileBytes: size })
      const whole = await file.call({ operation: 'read', path: 'big', encoding: 'base64' })
      expect(whole).toMatchObject({ output: { truncated: true, nextOffset: 5_242_880 } })
      await run({ operation: 'copy', path: 'big', to: 'copy' })
      expect(statSync(at('copy')).size).toBe(size)
      const end = { operation: 'read', path: 'copy', offset: size - 7 }
      expect(await result(end)).toBe('the end')
    } finally {
      clearInterval(watch)
    }
    expect(most).toBeLessThan(50_000_000)
  })
})

describe('refusals', () => {
  test.each([
    [{ operation: 'read', path: 'a', content: 'x' }, 'content: '],
    [{ operation: 'write', path: 'a' }, 'content: '],
    [{ operation: 'append', path: 'a' }, 'content: '],
    [{ operation: 'move', path: 'a' }, 'to: '],
    [{ operation: 'exists', path: 'a', details: true }, 'details: '],
    [{ operation: 'append', path: 'a', content: '', overwrite: false }, 'overwrite: '],
    [{ operation: 'read', path: 'a', offset: -1 }, 'offset: '],
    [{ operation: 'read', path: 'a', length: 0 }, 'length: '],
    [{ operation: 'read', path: 'a', offset: 0.5 }, 'offset: '],
    [{ operation: 'read', path: '' }, 'path: '],
    [{ operation: 'chmod', path: 'a' }, 'operation: '],
    [{ operation: 'read', path: 'a', mode: 'r' }, 'mode'],
  ])('%j names the field', async (input, message) => {
    const failure = await file.failure(input)
    expect(failure.errorCode).toBe('INPUT_INVALID')
    expect(failure.error).toContain(message)
  })

  test.each([
    [{ operation: 'read', path: 'missing' }, 'FILE_NOT_FOUND', 'path: '],
    [{ operation: 'stat', path: 'missing' }, 'FILE_NOT_FOUND', 'path: '],
    [{ operation: 'delete', path: 'missing' }, 'FILE_NOT_FOUND', 'path: '],
    [{ operation: 'list', path: 'missing' }, 'FILE_NOT_FOUND', 'path: '],
    [{ operation: 'move', path: 'missing', to: 'x' }, 'FILE_NOT_FOUND', 'path: '],
    [{ operation: 'read', path: 'folder' }, 'FILE_IS_FOLDER', 'path: '],
    [{ operation: 'write', path: 'folder', content: '' }, 'FILE_IS_FOLDER', 'path: '],
    [{ operation: 'list', path: 'taken' }, 'FILE_NOT_FOLDER', 'path: '],
    [{ operation: 'read', path: 'taken/below' }, 'FILE_NOT_FOLDER', 'path: '],
    [{ operation: 'delete', path: 'folder' }, 'FOLDER_NOT_EMPTY', 'path: '],
    [{ operation: 'copy', path: 'folder/a', to: 'taken' }, 'FILE_EXISTS', 'to: '],
    [{ operation: 'move', path: 'folder/a', to: 'taken' }, 'FILE_EXISTS', 'to: '],
    [{ operation: 'write', path: 'taken', content: '', overwrite: false }, 'FILE_EXISTS', 'path: '],
    [
      { operation: 'write', path: 'no/such', content: '', createParents: false },
      'FILE_NOT_FOUND',
      'path: ',
    ],
    [{ operation: 'mkdir', path: 'no/such', createParents: false }, 'FILE_NOT_FOUND', 'path: '],
  ])('%j has a code and the field, and changes nothing', async (input, code, message) => {
    mkdirSync(at('folder'))
    writeFileSync(at('folder/a'), 'A')
    writeFileSync(at('taken'), 'T')
    const failure = await file.failure(input)
    expect(failure.toolErrorCode).toBe(code)
    expect(failure.error).toContain(message)
    expect(readdirSync(workspace)).toEqual(['folder', 'taken'])
    expect(readFileSync(at('taken'), 'utf8')).toBe('T')
    expect(readFileSync(at('folder/a'), 'utf8')).toBe('A')
  })

  test.each([
    [{ operation: 'copy', path: 'missing', to: 'x' }, 'path: '],
    [{ operation: 'copy', path: 'a', to: 'taken "1"' }, 'to: '],
    [{ operation: 'copy', path: 'a "1"', to: 'x' }, 'path: '],
    [{ operation: 'move', path: 'a', to: `${'long'.repeat(99)}/x` }, 'to: '],
    [{ operation: 'copy', path: 'a', to: 'a' }, 'to: '],
    [{ operation: 'append', path: 'folder', content: 'x' }, 'path: '],
  ])('%j names the one of two paths that is meant', async (input, message) => {
    mkdirSync(at('folder'))
    for (const name of ['a', 'taken "1"']) writeFileSync(at(name), name)
    expect((await file.failure(input)).error).toContain(`${message}Cannot`)
  })

  test('what is there is replaced when that is asked for', async () => {
    writeFileSync(at('a'), 'A')
    writeFileSync(at('b'), 'B')
    await run({ operation: 'copy', path: 'a', to: 'b', overwrite: true })
    expect(readFileSync(at('b'), 'utf8')).toBe('A')
    await run({ operation: 'write', path: 'a', content: 'new' })
    await run({ operation: 'move', path: 'a', to: 'b', overwrite: true })
    expect(readFileSync(at('b'), 'utf8')).toBe('new')
  })

  test.each([
    '../secret.txt',
    'link',
    'a/../../secret.txt',
    '/etc/passwd',
    'nul\0',
    '/proc/self/environ',
  ])('no operation reaches %j', async (path) => {
    symlinkSync('../secret.txt', at('link'))
    writeFileSync(at('mine'), 'M')
    const inputs = [
      { operation: 'read', path },
      { operation: 'write', path, content: 'X' },
      { operation: 'append', path, content: 'X' },
      { operation: 'list', path },
      { operation: 'copy', path, to: 'stolen' },
      { operation: 'copy', path: 'mine', to: path, overwrite: true },
      { operation: 'mkdir', path },
    ]
    for (const input of inputs)
      expect(await file.failure(input)).toMatchObject({ errorCode: 'POLICY_VIOLATION' })
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('SECRET')
    expect(readdirSync(workspace)).toEqual(['link', 'mine'])
  })

  test('more than the guard lets a file have is refused, and the file stays', async () => {
    const small = createFileGuard({ read: [workspace], write: [workspace], maxWriteBytes: 4 })
    try {
      file = callerOf(createFileTool({ guard: small }))
      await run({ operation: 'write', path: 'a', content: 'four' })
      for (const operation of ['write', 'append'])
        expect(await file.failure({ operation, path: 'a', content: 'fives' })).toMatchObject({
          errorCode: 'POLICY_VIOLATION',
        })
      expect(readFileSync(at('a'), 'utf8')).toBe('four')
    } finally {
      small.close()
    }
  })
})
