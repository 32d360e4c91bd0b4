import { execFileSync, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFileGuard } from '../src/files/file-guard-calls.ts'
import type { FileGuard } from '../src/files/file-guard.ts'
import type { FileSystemCalls } from '../src/files/file-system-calls.ts'
import { type FileFixture, makeFixture } from './fixtures/file-fixture.ts'
import { strategies, verdict } from './fixtures/guard-strategies.ts'

let fixture: FileFixture
let guard: FileGuard

const systemError = (code: string): Error => Object.assign(new Error(code), { code })
const inRoot = (path: string): string => join(fixture.root, path)
const one = Buffer.from('1')

const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' })
    .status === 0

describe.each(strategies)('a disk that refuses, $strategy', ({ forcePaths }) => {
  const open = (calls: Partial<FileSystemCalls>): void => {
    guard?.close()
    const { root } = fixture
    guard = openFileGuard({ read: [root], write: [root] }, { forcePaths, fs: { ...fs, ...calls } })
  }
  const failing = (code: string) => (): never => {
    throw systemError(code)
  }

  beforeEach(() => {
    fixture = makeFixture()
  })

  afterEach(() => {
    guard.close()
    fixture.remove()
  })

  it.each([
    ['ENOSPC', 'DISK_FULL'],
    ['EDQUOT', 'DISK_FULL'],
    ['EROFS', 'DISK_READ_ONLY'],
    ['EACCES', 'FILE_ACCESS_DENIED'],
    ['EPERM', 'FILE_ACCESS_DENIED'],
    ['EIO', 'FILE_SYSTEM_FAILED'],
    ['EMFILE', 'FILE_SYSTEM_FAILED'],
  ])('%s is told as %s, and leaves everything as it was', async (code, expected) => {
    const fail = failing(code)
    const failLater = ((_descriptor: number, done: fs.NoParamCallback) =>
      done(systemError(code))) as typeof fs.fsync
    const failures: readonly Partial<FileSystemCalls>[] = [
      { writeSync: fail },
      { fsync: failLater },
      { renameSync: fail },
    ]
    for (const calls of failures) {
      open(calls)
      expect(await verdict(guard.writeFile('a.txt', one))).toBe(expected)
      expect(await verdict(guard.copy('a.txt', 'd/../a.txt', { overwrite: true }))).toBe(expected)
    }
    open({ mkdirSync: fail })
    expect(await verdict(guard.createFolder('new'))).toBe(expected)
    open({ unlinkSync: fail })
    expect(await verdict(guard.deleteFile('a.txt'))).toBe(expected)
    open({ rmdirSync: fail })
    expect(await verdict(guard.deleteFolder('d'))).toBe(expected)
    open({ opendirSync: fail })
    expect(await verdict(guard.listFolder('d'))).toBe(expected)
    open({ readSync: fail })
    expect(await verdict(guard.readFile('a.txt'))).toBe(expected)
    expect(readdirSync(fixture.root)).toEqual(['a.txt', 'd', 'w'])
    expect(readFileSync(inRoot('a.txt'), 'utf8')).toBe('A')
  })

  it('that is full in the middle of an append gets back what was there', async () => {
    writeFileSync(inRoot('log'), 'old')
    let room = 5
    open({
      writeSync: ((descriptor: number, bytes: Uint8Array, offset: number) => {
        if (room === 0) throw systemError('ENOSPC')
        const count = Math.min(room, bytes.length - offset)
        room -= count
        return fs.writeSync(descriptor, bytes, offset, count)
      }) as typeof fs.writeSync,
    })
    expect(await verdict(guard.appendFile('log', Buffer.from('0123456789')))).toBe('DISK_FULL')
    expect(readFileSync(inRoot('log'), 'utf8')).toBe('old')
  })

  it('that takes a few bytes at a time gets all of them', async () => {
    open({
      writeSync: ((descriptor: number, bytes: Uint8Array, offset: number) =>
        fs.writeSync(descriptor, bytes, offset, 1)) as typeof fs.writeSync,
    })
    await guard.writeFile('x', Buffer.from('0123456789'))
    await guard.appendFile('x', Buffer.from('ab'))
    expect(readFileSync(inRoot('x'), 'utf8')).toBe('0123456789ab')
  })

  it('without hard links still makes new files only where there is none', async () => {
    open({ linkSync: failing('EPERM') })
    await guard.writeFile('x', one, { exclusive: true })
    await guard.move('x', 'y')
    expect(await verdict(guard.writeFile('y', one, { exclusive: true }))).toBe('FILE_EXISTS')
    expect(readdirSync(fixture.root)).toEqual(['a.txt', 'd', 'w', 'y'])
  })

  it('and another disk: a file is copied there, and the first one goes last', async () => {
    const { linkSync, renameSync } = fs
    open({
      linkSync: (from, to) => {
        if (!String(from).includes('.part')) throw systemError('EXDEV')
        linkSync(from, to)
      },
      renameSync: (from, to) => {
        if (!String(from).includes('.part')) throw systemError('EXDEV')
        renameSync(from, to)
      },
    })
    await guard.move('a.txt', 'w/b.txt')
    expect(readFileSync(inRoot('w/b.txt'), 'utf8')).toBe('A')
    expect(readdirSync(fixture.root)).toEqual(['d', 'w'])
    expect(await verdict(guard.move('d', 'w/d'))).toBe('FILE_SYSTEM_FAILED')
  })

  it.each(['', 'x'])('an unwritable folder is told of (%j)', async (name) => {
    // The administrator may write everywhere, so that the system's answer has to be made up for him.
    open({
      openSync: ((path: string, flags: number, mode?: number) => {
        if ((flags & fs.constants.O_CREAT) !== 0) throw systemError('EACCES')
        return fs.openSync(path, flags, mode)
      }) as typeof fs.openSync,
    })
    expect(await verdict(guard.writeFile(`w/${name}y`, one))).toBe('FILE_ACCESS_DENIED')
    await expect(guard.writeFile('w/y', one)).rejects.toThrow(/Cannot write "w\/y"\..*permissions/u)
  })

  it('a real full disk, a read-only one and mounts of the kernel, where this user may mount', () => {
    open({})
    if (!canMount) {
      // The same answers of the system are made up above; here only that the guard needs no right to mount.
      expect(() => guard.resolveFolder('d', 'read')).not.toThrow()
      return
    }
    const script = join(import.meta.dirname, 'fixtures/fill-disk.ts')
    const child = [
      '-Urm',
      process.execPath,
      '--conditions=@toolcrib/source',
      script,
      forcePaths ? 'paths' : 'descriptors',
    ]
    const printed = execFileSync('unshare', child, {
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: fixture.folder },
    })
    expect(JSON.parse(printed)).toEqual({
      readProc: 'fs.special',
      listProc: 'fs.special',
      statProc: 'fs.special',
      readSys: 'fs.special',
      readOther: 'other',
      moveOver: 'done',
      readMoved: 'other',
      moveFolderOver: 'FILE_SYSTEM_FAILED',
      writeSmall: 'done',
      writeLarge: 'DISK_FULL',
      writeNewLarge: 'DISK_FULL',
      appendLarge: 'DISK_FULL',
      copyLarge: 'FILE_NOT_FOUND',
      copyLargeOver: 'DISK_FULL',
      moveLargeOver: 'DISK_FULL',
      largeStays: true,
      content: 'old',
      names: ['x'],
      writeReadOnly: 'DISK_READ_ONLY',
      appendReadOnly: 'DISK_READ_ONLY',
      deleteReadOnly: 'DISK_READ_ONLY',
      createReadOnly: 'DISK_READ_ONLY',
      moveReadOnly: 'DISK_READ_ONLY',
      readReadOnly: 'old',
    })
  })

  it('keeps the owner of a file that is replaced, where the system lets it', async () => {
    const isAdministrator = process.getuid?.() === 0
    if (isAdministrator) fs.chownSync(inRoot('a.txt'), 12_345, 23_456)
    const before = fs.statSync(inRoot('a.txt'))
    open({})
    await guard.writeFile('a.txt', one)
    expect(fs.statSync(inRoot('a.txt'))).toMatchObject({ uid: before.uid, gid: before.gid })
    open({
      fchownSync: failing('EPERM'),
      fstatSync: ((...parameters: Parameters<typeof fs.fstatSync>) =>
        Object.assign(fs.fstatSync(...parameters), { uid: 54_321 })) as typeof fs.fstatSync,
    })
    await guard.writeFile('a.txt', Buffer.from('2'))
    expect(readFileSync(inRoot('a.txt'), 'utf8')).toBe('2')
  })

  it('does not fall back to a weaker way when descriptors run out', () => {
    const fail = failing('EMFILE')
    expect(() => open({ openSync: fail, lstatSync: fail })).toThrow(
      expect.objectContaining({ code: 'POLICY_INVALID' }),
    )
    open({})
  })

  it('thousands of calls, failing ones too, leave no descriptor open', async () => {
    const count = (): number =>
      readdirSync(process.platform === 'linux' ? '/proc/self/fd' : fixture.root).length
    open({})
    mkdirSync(inRoot('d/e'))
    writeFileSync(inRoot('d/e/x'), 'x')
    symlinkSync(fixture.out, inRoot('d/ln'))
    execFileSync('mkfifo', [inRoot('pipe')])
    fs.linkSync(join(fixture.out, 'secret.txt'), inRoot('hard'))
    guard.close()
    const before = count()
    for (let round = 0; round < 5; round += 1) {
      open({})
      for (let index = 0; index < 20; index += 1) {
        await Promise.all(
          [
            'd/e/x',
            'missing',
            'd',
            'd/ln',
            'd/ln/x',
            'pipe',
            'hard',
            'a.txt/x',
            '.env',
            '..',
          ].flatMap((path) => [
            verdict(guard.readFile(path)),
            verdict(guard.stat(path)),
            verdict(guard.listFolder(path)),
            verdict(guard.copy(path, `d/ln/${index}`)),
            verdict(guard.move(path, 'd/e')),
            verdict(guard.createFolder(`${path}/..`)),
          ]),
        )
      }
      await verdict(guard.writeFile('d/ln/x', one))
      await verdict(guard.appendFile('pipe', one))
      await verdict(guard.deleteFolder('d/ln'))
      await verdict(guard.writeFile('w/x', Buffer.alloc(2_000_000)))
      await guard.writeFile('w/x', one)
      expect(() => openFileGuard({ read: [fixture.root, 'missing'] }, { forcePaths })).toThrow(
        /missing/,
      )
      guard.close()
    }
    expect(count()).toBe(before)
  })
})
