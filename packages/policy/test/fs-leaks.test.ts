import * as fs from 'node:fs'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFileGuard } from '../src/files/file-guard-calls.ts'
import type { FileGuard, FileGuardOptions } from '../src/files/file-guard.ts'
import type { FileSystemCalls } from '../src/files/file-system-calls.ts'
import { type FileFixture, makeFixture } from './fixtures/file-fixture.ts'
import { strategies, verdict } from './fixtures/guard-strategies.ts'

let fixture: FileFixture
let guard: FileGuard | undefined

const inRoot = (path: string): string => join(fixture.root, path)
const one = Buffer.from('1')

describe.each(strategies)('detours around a policy, $strategy', ({ forcePaths }) => {
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
  })

  afterEach(() => {
    guard?.close()
    fixture.remove()
  })

  it('the folder of a readable file does not move, so that no other file takes its name', async () => {
    mkdirSync(inRoot('w/pub'))
    writeFileSync(inRoot('w/pub/f'), 'public')
    writeFileSync(inRoot('w/private'), 'SECRET')
    const files = open({ read: ['w/pub/f'], write: ['w'] })
    expect(await verdict(files.move('w/pub', 'w/other'))).toBe('fs.path')
    await verdict(files.move('w/private', 'w/other/f', { overwrite: true }))
    expect((await files.readFile('w/pub/f')).toString()).toBe('public')
    await files.deleteFile('w/pub/f')
    expect(await verdict(files.deleteFolder('w/pub'))).toBe('fs.path')
  })

  it('nothing moves into a readable folder by a name that it got meanwhile', async () => {
    mkdirSync(inRoot('w/pub'))
    writeFileSync(inRoot('w/private'), 'SECRET')
    const files = open({ read: ['w/pub'], write: ['w'] })
    renameSync(inRoot('w/pub'), inRoot('w/renamed'))
    await verdict(files.move('w/private', 'w/renamed/x'))
    const found = await files.readFile('w/pub/x').catch(() => 'refused')
    expect(found.toString()).toBe('refused')
  })

  it('a denied place that comes later is denied by its real path too', async () => {
    const alias = join(fixture.folder, 'alias')
    symlinkSync(fixture.root, alias)
    const files = open({ denied: [join(alias, 'data/later')] })
    mkdirSync(inRoot('data/later'), { recursive: true })
    writeFileSync(inRoot('data/later/x'), 'SECRET')
    expect(await verdict(files.readFile('data/later/x'))).toBe('fs.path')
    expect(await verdict(files.move('data', 'other'))).toBe('fs.path')
  })

  it('a link to nothing cannot be denied, for nobody knows yet what it will mean', () => {
    symlinkSync('later', inRoot('link'))
    expect(() => open({ denied: ['link/x'] })).toThrow(/denied\[0\] is ".*link\/x".*link.*nothing/u)
  })

  it.each([
    ['STRASSE', 'stra\u00DFe'],
    ['\u03C3\u03C2', '\u03A3\u03A3'],
    ['s', '\u017F'],
  ])(
    'a denied %j is met as %j too, where a file system may take both for one',
    async (name, other) => {
      const files = open({ denied: [name] })
      expect(await verdict(files.writeFile(other, one))).toBe('fs.path')
    },
  )

  it('an abort ends a write whose content never comes, and leaves nothing', async () => {
    const files = open()
    const aborting = new AbortController()
    let returned = false
    const content: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          setImmediate(() => aborting.abort(new Error('enough')))
          return new Promise(() => undefined)
        },
        return: () => {
          returned = true
          return new Promise(() => undefined)
        },
      }),
    }
    const { signal } = aborting
    await expect(files.writeFile('w/x', content, { signal })).rejects.toThrow('enough')
    expect(readdirSync(inRoot('w'))).toEqual([])
    expect(returned).toBe(true)
  })

  it('an append is never lost when the file is made and removed again meanwhile', async () => {
    let times = 2
    const files = open(
      {},
      {
        linkSync: (from, to) => {
          times -= 1
          if (times < 0) fs.linkSync(from, to)
          else throw Object.assign(new Error('it was there'), { code: 'EEXIST' })
        },
      },
    )
    await files.appendFile('w/log', one)
    expect(readFileSync(inRoot('w/log'), 'utf8')).toBe('1')
  })

  it('a copy tells which of the two files could not be opened', async () => {
    const files = open(
      {},
      {
        openSync: ((path: string, flags: number, mode?: number) => {
          const isPlain = (flags & (fs.constants.O_CREAT | 0o10000000)) === 0
          if (isPlain) throw Object.assign(new Error('no'), { code: 'EACCES' })
          return fs.openSync(path, flags, mode)
        }) as typeof fs.openSync,
      },
    )
    await expect(files.copy('a.txt', 'w/b')).rejects.toThrow(/^Cannot copy "a\.txt"\./u)
  })

  it('a file that may not be written is not replaced either', async () => {
    writeFileSync(inRoot('w/x'), 'old')
    fs.chmodSync(inRoot('w/x'), 0o444)
    // The administrator may write everything, so that the system's answer has to be made up for him.
    const files = open(
      {},
      {
        openSync: ((path: string, flags: number, mode?: number) => {
          const isPlainWrite = (flags & (fs.constants.O_CREAT | fs.constants.O_WRONLY)) === 1
          if (isPlainWrite && process.getuid?.() === 0) {
            throw Object.assign(new Error('no'), { code: 'EACCES' })
          }
          return fs.openSync(path, flags, mode)
        }) as typeof fs.openSync,
      },
    )
    expect(await verdict(files.writeFile('w/x', one))).toBe('FILE_ACCESS_DENIED')
    expect(await verdict(files.writeFile('w/x', one, { exclusive: true }))).toBe('FILE_EXISTS')
    expect(await verdict(files.copy('a.txt', 'w/x'))).toBe('FILE_EXISTS')
    expect(await verdict(files.appendFile('w/x', one))).toBe('FILE_ACCESS_DENIED')
    expect(await verdict(files.copy('a.txt', 'w/x', { overwrite: true }))).toBe(
      'FILE_ACCESS_DENIED',
    )
    expect(readFileSync(inRoot('w/x'), 'utf8')).toBe('old')
  })

  it('a lack of descriptors is told as such', async () => {
    const fail = (): never => {
      throw Object.assign(new Error('too many'), { code: 'EMFILE' })
    }
    const files = open({}, { readSync: fail })
    await expect(files.readFile('a.txt')).rejects.toThrow(/EMFILE.*too many files.*again/u)
  })

  it('the folder keeps its old files when a stranger exchanges it for a link in a copy', async () => {
    const files = open()
    const before = fixture.snapshotOutside()
    mkdirSync(inRoot('rd'))
    const content: AsyncIterable<Uint8Array> = (async function* () {
      yield one
      renameSync(inRoot('rd'), inRoot('rd.old'))
      symlinkSync(fixture.out, inRoot('rd'))
      yield one
    })()
    await verdict(files.writeFile('rd/target.txt', content))
    expect(fixture.snapshotOutside()).toBe(before)
  })

  it.each([
    [{ read: '/tmp' as unknown as string[] }, /read must be a list of paths, not a string/u],
    [{ write: {} as string[] }, /write must be a list/u],
    [{ denied: 'x' as unknown as string[] }, /denied must be a list/u],
    [{ baseFolder: 5 as unknown as string }, /baseFolder/u],
  ])('is not opened with %o', (options, message) => {
    expect(() => open(options)).toThrow(message)
    expect(() => open(options)).toThrow(expect.objectContaining({ code: 'POLICY_INVALID' }))
  })
})
