import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FileFixture, makeFixture } from '../../test/fixtures/file-fixture.ts'
import { strategies, verdict } from '../../test/fixtures/guard-strategies.ts'
import { openFileGuard } from './file-guard-calls.ts'
import type { FileSystemCalls } from './file-system-calls.ts'
import { createFileGuard, type FileGuard, type FileGuardOptions } from './file-guard.ts'

let fixture: FileFixture
let guard: FileGuard

const inRoot = (path: string): string => join(fixture.root, path)
const text = (path: string): string => readFileSync(inRoot(path), 'utf8')
const bytes = (content: string): Buffer => Buffer.from(content)

describe.each(strategies)('a file guard, $strategy', ({ forcePaths }) => {
  const open = (
    options: Partial<FileGuardOptions> = {},
    exchanged: Partial<FileSystemCalls> = {},
  ): FileGuard => {
    guard?.close()
    const { root } = fixture
    guard = openFileGuard(
      { read: [root], write: [root], baseFolder: root, ...options },
      { forcePaths, fs: { ...fs, ...exchanged } },
    )
    return guard
  }

  beforeEach(() => {
    fixture = makeFixture()
    open()
  })

  afterEach(() => {
    guard.close()
    const left = readdirSync(fixture.root, { recursive: true, encoding: 'utf8' })
    fixture.remove()
    // Whatever failed, no temporary file stays.
    if (left.some((name) => name.includes('.toolcrib-'))) throw new Error(left.join(' '))
  })

  describe('reads', () => {
    it('a file whole, from any step of the way', async () => {
      mkdirSync(inRoot('d/e/f'), { recursive: true })
      writeFileSync(inRoot('d/e/f/g.txt'), 'deep')
      expect((await guard.readFile('d/e/f/g.txt')).toString()).toBe('deep')
      expect((await guard.readFile('d/./e//f/../f/g.txt')).toString()).toBe('deep')
      expect((await guard.readFile(inRoot('d/e/f/g.txt'))).toString()).toBe('deep')
    })

    it('any bytes as they are', async () => {
      const all = Buffer.from(Array.from({ length: 256 }, (_, index) => index))
      writeFileSync(inRoot('all'), all)
      expect((await guard.readFile('all')).equals(all)).toBe(true)
    })

    it.each([131_071, 131_072, 131_073, 262_144, 700_001, 1_048_576])(
      'a file of %i bytes',
      async (size) => {
        const content = Buffer.alloc(size, 'abcdefg')
        writeFileSync(inRoot('big'), content)
        expect((await guard.readFile('big')).equals(content)).toBe(true)
      },
    )

    it('up to the limit and not a byte more', async () => {
      open({ maxReadBytes: 10 })
      writeFileSync(inRoot('ten'), '0123456789')
      writeFileSync(inRoot('eleven'), '0123456789a')
      expect(await guard.readFile('ten')).toHaveLength(10)
      expect(await verdict(guard.readFile('eleven'))).toBe('fs.size')
      expect(await verdict(guard.readFile('eleven', { length: 11 }))).toBe('fs.size')
      expect((await guard.readFile('eleven', { offset: 1 })).toString()).toBe('123456789a')
    })

    it('ranges of a file that is larger than the limit', async () => {
      open({ maxReadBytes: 4 })
      writeFileSync(inRoot('eleven'), '0123456789a')
      const part = async (offset: number, length: number): Promise<string> =>
        (await guard.readFile('eleven', { offset, length })).toString()
      expect(await part(0, 4)).toBe('0123')
      expect(await part(9, 4)).toBe('9a')
      expect(await part(11, 4)).toBe('')
      expect(await part(5_000_000_000, 4)).toBe('')
      expect(await part(3, 0)).toBe('')
    })

    it('a small part of a huge file with holes', async () => {
      writeFileSync(inRoot('sparse'), '')
      truncateSync(inRoot('sparse'), 8_000_000_000)
      expect(await verdict(guard.readFile('sparse'))).toBe('fs.size')
      const part = await guard.readFile('sparse', { offset: 7_999_999_998, length: 5 })
      expect([...part]).toEqual([0, 0])
    })

    it.each([
      { offset: -1 },
      { offset: 1.5 },
      { offset: Number.NaN },
      { length: -1 },
      { length: Number.POSITIVE_INFINITY },
      { length: '5' as unknown as number },
      { offset: 2 ** 53 },
    ])('nothing for the range %o', async (range) => {
      expect(await verdict(guard.readFile('a.txt', range))).toBe('FILE_ARGUMENT_INVALID')
      await expect(guard.readFile('a.txt', range)).rejects.toThrow(/"(?:offset|length)" must be/)
    })

    it.each([
      ['missing', 'FILE_NOT_FOUND'],
      ['missing/x', 'FILE_NOT_FOUND'],
      ['*.txt', 'FILE_NOT_FOUND'],
      ['$HOME/x', 'FILE_NOT_FOUND'],
      ['d', 'FILE_IS_FOLDER'],
      ['.', 'FILE_IS_FOLDER'],
      ['a.txt/..', 'FILE_IS_FOLDER'],
      ['a.txt/.', 'FILE_NOT_FOLDER'],
      ['a.txt/', 'FILE_NOT_FOLDER'],
      ['a.txt/x', 'FILE_NOT_FOLDER'],
      ['x'.repeat(256), 'FILE_NAME_TOO_LONG'],
      ['x/'.repeat(200), 'FILE_NOT_FOUND'],
      ['x/'.repeat(256), 'fs.path'],
      ['x/../'.repeat(256), 'FILE_IS_FOLDER'],
      ['x'.repeat(4_097), 'fs.path'],
      ['', 'fs.path'],
      ['..', 'fs.path'],
      ['...', 'FILE_NOT_FOUND'],
    ])('not %j', async (path, expected) => {
      expect(await verdict(guard.readFile(path))).toBe(expected)
    })

    it('below a very deep folder', async () => {
      const deep = 'n/'.repeat(100)
      await guard.createFolder(deep)
      await guard.writeFile(`${deep}x`, bytes('bottom'))
      expect((await guard.readFile(`${deep}x`)).toString()).toBe('bottom')
    })
  })

  describe('writes', () => {
    it('a new file, and over one that is there, keeping its permissions', async () => {
      await guard.writeFile('new.txt', bytes('1'))
      expect(statSync(inRoot('new.txt')).mode & 0o777).toBe(0o666 & ~process.umask())
      for (const mode of [0o600, 0o640, 0o755, 0o444]) {
        chmodSync(inRoot('new.txt'), mode)
        await guard.writeFile('new.txt', bytes(String(mode)))
        expect(text('new.txt')).toBe(String(mode))
        expect(statSync(inRoot('new.txt')).mode & 0o777).toBe(mode)
      }
    })

    it('up to the limit and not a byte more, and leaves what was there', async () => {
      open({ maxWriteBytes: 3 })
      await guard.writeFile('x', bytes('abc'))
      expect(await verdict(guard.writeFile('x', bytes('abcd')))).toBe('fs.size')
      expect(text('x')).toBe('abc')
    })

    it('a stream as it comes, up to the limit', async () => {
      open({ maxWriteBytes: 600_000 })
      const stream = async function* (chunks: number): AsyncGenerator<Uint8Array> {
        for (let index = 0; index < chunks; index += 1) yield Buffer.alloc(300_000, String(index))
      }
      await guard.writeFile('streamed', stream(2))
      expect(text('streamed')).toBe('0'.repeat(300_000) + '1'.repeat(300_000))
      expect(await verdict(guard.writeFile('streamed', stream(3)))).toBe('fs.size')
      expect(text('streamed')).toHaveLength(600_000)
    })

    it('nothing when a stream breaks or gives something else', async () => {
      const broken = async function* (): AsyncGenerator<Uint8Array> {
        yield bytes('half')
        throw new Error('the line broke')
      }
      await expect(guard.writeFile('x', broken())).rejects.toThrow('the line broke')
      const odd = async function* (): AsyncGenerator<Uint8Array> {
        yield 'text' as unknown as Uint8Array
      }
      expect(await verdict(guard.writeFile('x', odd()))).toBe('FILE_ARGUMENT_INVALID')
      expect(existsSync(inRoot('x'))).toBe(false)
    })

    it('only bytes', async () => {
      for (const content of ['text', 5, null, undefined, {}, [1], new ArrayBuffer(3)]) {
        const call = guard.writeFile('x', content as Uint8Array)
        expect(await verdict(call)).toBe('FILE_ARGUMENT_INVALID')
      }
      expect(existsSync(inRoot('x'))).toBe(false)
    })

    it('into new folders if so wanted', async () => {
      expect(await verdict(guard.writeFile('p/q/x', bytes('1')))).toBe('FILE_NOT_FOUND')
      await guard.writeFile('p/q/x', bytes('1'), { createParents: true })
      expect(text('p/q/x')).toBe('1')
      const call = guard.writeFile('a.txt/q/x', bytes('1'), { createParents: true })
      expect(await verdict(call)).toBe('FILE_NOT_FOLDER')
    })

    it('only new files if so wanted', async () => {
      await guard.writeFile('x', bytes('1'), { exclusive: true })
      expect(await verdict(guard.writeFile('x', bytes('2'), { exclusive: true }))).toBe(
        'FILE_EXISTS',
      )
      expect(text('x')).toBe('1')
      expect(statSync(inRoot('x')).nlink).toBe(1)
    })

    it('once, of many exclusive writes at the same time', async () => {
      const calls = Array.from({ length: 20 }, (_, index) =>
        verdict(guard.writeFile('x', bytes(String(index)), { exclusive: true })),
      )
      const results = await Promise.all(calls)
      expect(results.filter((result) => result === 'done')).toHaveLength(1)
      expect(results.filter((result) => result === 'FILE_EXISTS')).toHaveLength(19)
      expect(text('x')).toBe(String(results.indexOf('done')))
    })

    it.each([
      ['d', 'FILE_IS_FOLDER'],
      ['.', 'FILE_IS_FOLDER'],
      ['new/', 'FILE_IS_FOLDER'],
      ['a.txt/.', 'FILE_IS_FOLDER'],
      ['a.txt/x', 'FILE_NOT_FOLDER'],
      ['x'.repeat(256), 'FILE_NAME_TOO_LONG'],
      ['../x', 'fs.path'],
    ])('not to %j', async (path, expected) => {
      expect(await verdict(guard.writeFile(path, bytes('1')))).toBe(expected)
      expect(await verdict(guard.appendFile(path, bytes('1')))).toBe(expected)
      expect(text('a.txt')).toBe('A')
    })
  })

  describe('appends', () => {
    it('to a file that is there or not', async () => {
      await guard.appendFile('log', bytes('1'))
      await guard.appendFile('log', bytes('2'))
      await guard.appendFile('p/log', bytes('3'), { createParents: true })
      expect(text('log')).toBe('12')
      expect(text('p/log')).toBe('3')
      expect(await verdict(guard.appendFile('log', bytes('x'), { exclusive: true }))).toBe(
        'FILE_EXISTS',
      )
    })

    it('until the file has reached the limit', async () => {
      open({ maxWriteBytes: 3 })
      await guard.appendFile('log', bytes('ab'))
      expect(await verdict(guard.appendFile('log', bytes('cd')))).toBe('fs.size')
      await guard.appendFile('log', bytes('c'))
      expect(text('log')).toBe('abc')
      expect(await verdict(guard.appendFile('fresh', bytes('abcd')))).toBe('fs.size')
      expect(existsSync(inRoot('fresh'))).toBe(false)
    })

    it('every line of many calls at the same time, and never past the limit', async () => {
      open({ maxWriteBytes: 20 })
      const calls = Array.from({ length: 30 }, () => verdict(guard.appendFile('log', bytes('ab'))))
      const results = await Promise.all(calls)
      expect(results.filter((result) => result === 'done')).toHaveLength(10)
      expect(text('log')).toBe('ab'.repeat(10))
    })
  })

  describe('deletes', () => {
    it('files', async () => {
      await guard.deleteFile('a.txt')
      expect(existsSync(inRoot('a.txt'))).toBe(false)
      expect(await verdict(guard.deleteFile('a.txt'))).toBe('FILE_NOT_FOUND')
      expect(await verdict(guard.deleteFile('d'))).toBe('FILE_IS_FOLDER')
      expect(await verdict(guard.deleteFile('d/'))).toBe('FILE_IS_FOLDER')
      expect(await verdict(guard.deleteFile('.'))).toBe('FILE_IS_FOLDER')
    })

    it('empty folders, but not the allowed one', async () => {
      writeFileSync(inRoot('d/x'), '')
      expect(await verdict(guard.deleteFolder('d'))).toBe('FOLDER_NOT_EMPTY')
      await guard.deleteFile('d/x')
      await guard.deleteFolder('d/')
      expect(existsSync(inRoot('d'))).toBe(false)
      expect(await verdict(guard.deleteFolder('a.txt'))).toBe('FILE_NOT_FOLDER')
      expect(await verdict(guard.deleteFolder('.'))).toBe('fs.path')
      expect(await verdict(guard.deleteFolder('d'))).toBe('FILE_NOT_FOUND')
    })

    it('no folder that another right names', async () => {
      open({ write: [fixture.root, inRoot('w')] })
      expect(await verdict(guard.deleteFolder('w'))).toBe('fs.path')
      expect(await verdict(guard.move('w', 'elsewhere'))).toBe('fs.path')
    })
  })

  describe('tells', () => {
    it('what stands at a path', async () => {
      symlinkSync('a.txt', inRoot('ln'))
      expect(await guard.stat('a.txt')).toEqual({
        type: 'file',
        bytes: 1,
        mode: statSync(inRoot('a.txt')).mode & 0o7777,
        modifiedAt: new Date(Math.floor(statSync(inRoot('a.txt')).mtimeMs)).toISOString(),
      })
      expect(await guard.stat('.')).toMatchObject({ type: 'folder' })
      expect(await guard.stat('d/')).toMatchObject({ type: 'folder' })
      expect(await guard.stat('ln')).toMatchObject({ type: 'link' })
    })

    it.each(['missing', 'missing/x', 'a.txt/x', 'a.txt/'])('nothing at %j', async (path) => {
      expect(await guard.stat(path)).toBeUndefined()
    })

    it('of a file that may only be written', async () => {
      open({ read: [], write: [inRoot('w')] })
      writeFileSync(inRoot('w/x'), '123')
      expect(await guard.stat(inRoot('w/x'))).toMatchObject({ bytes: 3 })
      expect(await verdict(guard.readFile(inRoot('w/x')))).toBe('fs.path')
      expect(await verdict(guard.stat(inRoot('a.txt')))).toBe('fs.path')
    })

    it('the names in a folder, sorted', async () => {
      symlinkSync('/etc', inRoot('ln'))
      writeFileSync(inRoot('.npmrc'), 'x')
      expect(await guard.listFolder('.')).toEqual({
        entries: [
          { name: '.npmrc' },
          { name: 'a.txt' },
          { name: 'd' },
          { name: 'ln' },
          { name: 'w' },
        ],
        truncated: false,
      })
      const { entries } = await guard.listFolder(fixture.root, { details: true })
      expect(entries).toMatchObject([
        { name: '.npmrc', type: 'file' },
        { name: 'a.txt', type: 'file', bytes: 1 },
        { name: 'd', type: 'folder' },
        { name: 'ln', type: 'link' },
        { name: 'w', type: 'folder' },
      ])
      expect(await guard.listFolder('d')).toEqual({ entries: [], truncated: false })
    })

    it('so many names and no more', async () => {
      for (let index = 0; index < 12; index += 1) writeFileSync(inRoot(`d/${index}`), '')
      expect(await guard.listFolder('d', { maxEntries: 12 })).toMatchObject({ truncated: false })
      const some = await guard.listFolder('d', { maxEntries: 11 })
      expect(some.entries).toHaveLength(11)
      expect(some.truncated).toBe(true)
      expect(await guard.listFolder('d', { maxEntries: 0 })).toEqual({
        entries: [],
        truncated: true,
      })
      expect(await verdict(guard.listFolder('d', { maxEntries: -1 }))).toBe('FILE_ARGUMENT_INVALID')
    })

    it('no names of what is no folder', async () => {
      expect(await verdict(guard.listFolder('a.txt'))).toBe('FILE_NOT_FOLDER')
      expect(await verdict(guard.listFolder('missing'))).toBe('FILE_NOT_FOUND')
      expect(await verdict(guard.listFolder('..'))).toBe('fs.path')
    })

    it('the real place of a folder', () => {
      symlinkSync(fixture.root, join(fixture.folder, 'alias'))
      open({
        read: [join(fixture.folder, 'alias')],
        write: [],
        baseFolder: join(fixture.folder, 'alias'),
      })
      expect(guard.resolveFolder('d', 'read')).toBe(inRoot('d'))
      expect(guard.resolveFolder('.', 'read')).toBe(fixture.root)
      expect(guard.resolveFolder(join(fixture.folder, 'alias/d'), 'read')).toBe(inRoot('d'))
      expect(() => guard.resolveFolder('a.txt', 'read')).toThrow(/file where a folder was meant/)
      expect(() => guard.resolveFolder('d', 'write')).toThrow(/Ask for fs_write of "d"/)
    })
  })

  describe('makes folders', () => {
    it('with those above, once or again', async () => {
      await guard.createFolder('p/q/r')
      await guard.createFolder('p/q/r')
      await guard.createFolder('.')
      expect(statSync(inRoot('p/q/r')).isDirectory()).toBe(true)
      expect(await verdict(guard.createFolder('a.txt'))).toBe('FILE_EXISTS')
      expect(await verdict(guard.createFolder('a.txt/x'))).toBe('FILE_NOT_FOLDER')
      expect(await verdict(guard.createFolder('../p'))).toBe('fs.path')
    })
  })

  describe.each(['move', 'copy'] as const)('%ss', (operation) => {
    it('a file, to a new name', async () => {
      writeFileSync(inRoot('run.sh'), 'echo', { mode: 0o700 })
      await guard[operation]('run.sh', 'p/q/run.sh', { createParents: true })
      expect(text('p/q/run.sh')).toBe('echo')
      expect(statSync(inRoot('p/q/run.sh')).mode & 0o777).toBe(0o700)
      expect(existsSync(inRoot('run.sh'))).toBe(operation === 'copy')
      expect(statSync(inRoot('p/q/run.sh')).nlink).toBe(1)
    })

    it('over a file only if so wanted', async () => {
      writeFileSync(inRoot('b.txt'), 'B')
      expect(await verdict(guard[operation]('a.txt', 'b.txt'))).toBe('FILE_EXISTS')
      const both = guard[operation]('a.txt', 'b.txt', { overwrite: true, exclusive: true })
      expect(await verdict(both)).toBe('FILE_EXISTS')
      expect(text('b.txt')).toBe('B')
      await guard[operation]('a.txt', 'b.txt', { overwrite: true })
      expect(text('b.txt')).toBe('A')
    })

    it('nothing onto itself', async () => {
      expect(await verdict(guard[operation]('a.txt', './a.txt'))).toBe('FILE_EXISTS')
      await guard[operation]('a.txt', 'a.txt', { overwrite: true })
      expect(text('a.txt')).toBe('A')
    })

    it.each([
      ['missing', 'x', 'FILE_NOT_FOUND'],
      ['a.txt', 'missing/x', 'FILE_NOT_FOUND'],
      ['a.txt', 'd', 'FILE_EXISTS'],
      ['a.txt', '.', /^FILE_(?:EXISTS|IS_FOLDER)$/],
      ['a.txt', 'new/', 'FILE_IS_FOLDER'],
      ['a.txt', '../out/x', 'fs.path'],
      ['../out/secret.txt', 'x', 'fs.path'],
      ['a.txt', '.git', 'fs.protected'],
      ['a.txt', '.vscode', 'fs.protected'],
      ['a.txt', 'a.txt/x', 'FILE_NOT_FOLDER'],
    ])('not %j to %j', async (from, to, expected) => {
      const result = await verdict(guard[operation](from, to))
      if (operation === 'copy' && to === 'd') expect(result).toBe('FILE_IS_FOLDER')
      else expect(result).toMatch(expected)
      expect(text('a.txt')).toBe('A')
    })

    it('needs rights at both ends', async () => {
      open({ read: [fixture.root], write: [inRoot('w')] })
      expect(await verdict(guard[operation]('a.txt', 'd/x'))).toBe('fs.path')
      expect(await verdict(guard[operation]('a.txt', 'w/x'))).toBe(
        operation === 'move' ? 'fs.path' : 'done',
      )
    })

    it('nothing that may not be read to where it may', async () => {
      open({ read: [inRoot('d')], write: [fixture.root] })
      expect(await verdict(guard[operation]('../root/a.txt', inRoot('d/x')))).toBe('fs.path')
      expect(existsSync(inRoot('d/x'))).toBe(false)
    })
  })

  it('copies a file in steps, up to the limit', async () => {
    open({ maxReadBytes: 10, maxWriteBytes: 900_000 })
    const content = Buffer.alloc(900_000, 'abcdefg')
    writeFileSync(inRoot('big'), content)
    await guard.copy('big', 'copy')
    expect(readFileSync(inRoot('copy')).equals(content)).toBe(true)
    writeFileSync(inRoot('big'), 'x', { flag: 'a' })
    expect(await verdict(guard.copy('big', 'copy2'))).toBe('fs.size')
    expect(existsSync(inRoot('copy2'))).toBe(false)
    expect(await verdict(guard.copy('d', 'copy2'))).toBe('FILE_IS_FOLDER')
  })

  it('moves a folder, but not into itself nor over one that is not empty', async () => {
    mkdirSync(inRoot('d/e'))
    writeFileSync(inRoot('d/e/x'), 'X')
    expect(await verdict(guard.move('d', 'd/e/d'))).toBe('FILE_ARGUMENT_INVALID')
    mkdirSync(inRoot('full/x'), { recursive: true })
    expect(await verdict(guard.move('d', 'full'))).toBe('FILE_EXISTS')
    expect(await verdict(guard.move('d', 'full', { overwrite: true }))).toBe('FOLDER_NOT_EMPTY')
    expect(await verdict(guard.move('a.txt', 'full', { overwrite: true }))).toBe('FILE_IS_FOLDER')
    expect(await verdict(guard.move('d', 'a.txt', { overwrite: true }))).toBe('FILE_NOT_FOLDER')
    await guard.move('d', 'w/moved')
    expect(text('w/moved/e/x')).toBe('X')
    expect(await verdict(guard.move('.', 'w/x'))).toBe('fs.path')
  })

  it('moves no folder to a name that would unprotect or protect what is in it', async () => {
    mkdirSync(inRoot('.config/gh'), { recursive: true })
    writeFileSync(inRoot('.config/gh/hosts.yml'), 'token')
    expect(await verdict(guard.move('.config', 'conf'))).toBe('fs.protected')
    mkdirSync(inRoot('x/autostart'), { recursive: true })
    expect(await verdict(guard.move('x', 'd/.config'))).toBe('fs.protected')
  })

  it('keeps what is special in a folder when that folder itself is allowed', async () => {
    mkdirSync(inRoot('.config/gh'), { recursive: true })
    for (const name of ['gh/hosts.yml', 'app.json']) writeFileSync(inRoot(`.config/${name}`), 'T')
    open({ read: [inRoot('.config')], write: [inRoot('.config')] })
    expect(await verdict(guard.readFile('.config/gh/hosts.yml'))).toBe('fs.protected')
    expect(await verdict(guard.writeFile('.config/autostart/x', bytes('1')))).toBe('fs.protected')
    expect(String(await guard.readFile('.config/app.json'))).toBe('T')
    open({ read: [inRoot('.config/gh')] })
    expect(String(await guard.readFile('.config/gh/hosts.yml'))).toBe('T')
  })

  describe('with a signal', () => {
    it('does nothing when it was aborted before', async () => {
      const signal = AbortSignal.abort(new Error('enough'))
      const calls = [
        guard.readFile('a.txt', { signal }),
        guard.writeFile('x', bytes('1'), { signal }),
        guard.appendFile('x', bytes('1'), { signal }),
        guard.deleteFile('a.txt', { signal }),
        guard.deleteFolder('d', { signal }),
        guard.stat('a.txt', { signal }),
        guard.listFolder('.', { signal }),
        guard.createFolder('x', { signal }),
        guard.move('a.txt', 'x', { signal }),
        guard.copy('a.txt', 'x', { signal }),
      ]
      for (const call of await Promise.allSettled(calls)) {
        expect(call).toMatchObject({ status: 'rejected', reason: { message: 'enough' } })
      }
      expect(readdirSync(fixture.root)).toEqual(['a.txt', 'd', 'w'])
    })

    it('stops between two chunks, and leaves what was there', async () => {
      open({ maxReadBytes: 50_000_000, maxWriteBytes: 50_000_000 })
      writeFileSync(inRoot('big'), Buffer.alloc(20_000_000))
      writeFileSync(inRoot('x'), 'old')
      for (const start of [
        (signal: AbortSignal) => guard.readFile('big', { signal }),
        (signal: AbortSignal) => guard.writeFile('x', Buffer.alloc(20_000_000), { signal }),
        (signal: AbortSignal) => guard.copy('big', 'x', { signal, overwrite: true }),
      ]) {
        const controller = new AbortController()
        const call = start(controller.signal)
        controller.abort(new Error('enough'))
        await expect(call).rejects.toThrow('enough')
      }
      expect(text('x')).toBe('old')
    })

    it('stops in the middle of a long list', async () => {
      let left = 1_500
      const endless = {
        readSync: () => (left > 0 ? { name: String((left -= 1)) } : null),
        closeSync: () => undefined,
      }
      open({}, { opendirSync: (() => endless) as unknown as typeof fs.opendirSync })
      expect((await guard.listFolder('d')).entries).toHaveLength(1_500)
      left = 1_500
      const controller = new AbortController()
      const call = guard.listFolder('d', { signal: controller.signal })
      controller.abort(new Error('enough'))
      await expect(call).rejects.toThrow('enough')
    })
  })

  it('ends running calls well, and refuses later ones, once closed', async () => {
    writeFileSync(inRoot('big'), Buffer.alloc(1_000_000, 'b'))
    const reading = guard.readFile('big')
    const writing = guard.writeFile('x', Buffer.alloc(1_000_000, 'x'))
    guard.close()
    guard.close()
    expect(await reading).toHaveLength(1_000_000)
    await writing
    expect(text('x')).toHaveLength(1_000_000)
    expect(await verdict(guard.readFile('a.txt'))).toBe('FILE_GUARD_CLOSED')
    expect(await verdict(guard.writeFile('y', bytes('1')))).toBe('FILE_GUARD_CLOSED')
    expect(() => guard.resolveFolder('d', 'read')).toThrow(/was closed/)
  })

  describe('is opened', () => {
    it.each([
      [{ read: ['missing'] }, /read\[0\] is ".*missing".*does not exist/],
      [{ write: ['a.txt', '/'] }, /write\[1\] is "\/".*whole disk/],
      [{ read: [''] }, /not a path/],
      [{ read: ['a\0b'] }, /control/],
      [{ read: [7 as unknown as string] }, /not a path/],
      [{ maxReadBytes: -1 }, /maxReadBytes/],
      [{ maxWriteBytes: 1.5 }, /maxWriteBytes/],
      [{ maxReadBytes: Number.NaN }, /maxReadBytes/],
      [{ baseFolder: '/nowhere/at/all' }, /baseFolder/],
      [{ read: ['d'], denied: ['.'] }, /denied/],
    ])('not with %o', (options, message) => {
      expect(() => open(options)).toThrow(message)
      expect(() => open(options)).toThrow(expect.objectContaining({ code: 'POLICY_INVALID' }))
      open()
    })

    it.each(['/proc', '/proc/self', '/sys/kernel', '/dev', '/dev/null', '/dev/zero', 'pipe'])(
      'not with the special %s',
      (path) => {
        execFileSync('mkfifo', [inRoot('pipe')])
        for (const right of ['read', 'write'] as const) {
          expect(() => open({ [right]: [path] })).toThrow(
            expect.objectContaining({ code: 'POLICY_VIOLATION', rule: 'fs.special' }),
          )
        }
        expect(() => open({ read: ['d', path] })).toThrow(/read\[1\]/u)
        open()
      },
    )

    it('with paths relative to the base folder', async () => {
      open({ read: ['d', 'a.txt'], write: [] })
      writeFileSync(inRoot('d/x'), 'X')
      expect((await guard.readFile('d/x')).toString()).toBe('X')
      expect((await guard.readFile('a.txt')).toString()).toBe('A')
      expect(await verdict(guard.readFile('w'))).toBe('fs.path')
    })

    it('with the first folder as the base', async () => {
      guard.close()
      guard = openFileGuard(
        { read: [inRoot('a.txt'), inRoot('d')], write: [inRoot('w')] },
        { forcePaths },
      )
      writeFileSync(inRoot('d/x'), 'X')
      expect((await guard.readFile('x')).toString()).toBe('X')
    })

    it('with nothing, and gives nothing', async () => {
      guard.close()
      guard = openFileGuard({}, { forcePaths })
      expect(await verdict(guard.readFile('x'))).toBe('fs.path')
      expect(await verdict(guard.readFile('/etc/passwd'))).toBe('fs.path')
      expect(await verdict(guard.writeFile('/tmp/x', bytes('1')))).toBe('fs.path')
    })

    it('for a single file, which may be replaced by others too', async () => {
      open({ read: ['a.txt'], write: ['a.txt'] })
      await guard.writeFile('a.txt', bytes('1'))
      await guard.appendFile('a.txt', bytes('2'))
      writeFileSync(inRoot('next'), '3')
      expect((await guard.readFile('a.txt')).toString()).toBe('12')
      expect(await verdict(guard.readFile('next'))).toBe('fs.path')
      expect(await verdict(guard.readFile('a.txt/x'))).toBe('FILE_NOT_FOLDER')
      expect(await verdict(guard.listFolder('.'))).toBe('fs.path')
      expect(await verdict(guard.createFolder('a.txt'))).toBe('FILE_EXISTS')
      await guard.deleteFile('a.txt')
      expect(await verdict(guard.readFile('a.txt'))).toBe('FILE_NOT_FOUND')
      await guard.writeFile('a.txt', bytes('new'))
      expect(text('a.txt')).toBe('new')
    })

    it('for a protected name when the operator names it', async () => {
      writeFileSync(inRoot('.env'), 'KEY=1')
      open({ read: ['.', '.env'] })
      expect((await guard.readFile('.env')).toString()).toBe('KEY=1')
      expect(await verdict(guard.writeFile('.env', bytes('1')))).toBe('fs.protected')
    })
  })
})

describe('createFileGuard', () => {
  it('gives the default limits of 1 MiB', async () => {
    fixture = makeFixture()
    const { root } = fixture
    const plain = createFileGuard({ read: [root], write: [root] })
    await plain.writeFile('edge', Buffer.alloc(1_048_576))
    expect(await plain.readFile('edge')).toHaveLength(1_048_576)
    expect(await verdict(plain.writeFile('more', Buffer.alloc(1_048_577)))).toBe('fs.size')
    writeFileSync(join(root, 'more'), Buffer.alloc(1_048_577))
    expect(await verdict(plain.readFile('more'))).toBe('fs.size')
    plain.close()
    fixture.remove()
  })

  it('tells what was tried, which rule it breaks and how to ask', async () => {
    fixture = makeFixture()
    const plain = createFileGuard({ read: [fixture.root] })
    const error: unknown = await plain
      .readFile('/etc/pass\u200Fwd')
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'POLICY_VIOLATION',
      data: {
        rule: 'fs.path',
        tried: String.raw`read "/etc/pass\u200fwd"`,
        howToAsk: String.raw`Ask for fs_read of "/etc/pass\u200fwd" in the tool's policy; an operator must approve it.`,
      },
    })
    await expect(plain.readFile(`nothing\\${'x'.repeat(9)}`)).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
      data: { verb: 'read', code: 'ENOENT' },
      message: expect.stringMatching(/^Cannot read "nothing\\\\xxxxxxxxx"\. There is no file/),
    })
    plain.close()
    fixture.remove()
  })
})
