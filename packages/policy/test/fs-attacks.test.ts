import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFileGuard } from '../src/files/file-guard-calls.ts'
import type { FileGuard, FileGuardOptions } from '../src/files/file-guard.ts'
import type { FileSystemCalls } from '../src/files/file-system-calls.ts'
import { type FileFixture, makeFixture, startSwapping } from './fixtures/file-fixture.ts'
import { strategies, verdict } from './fixtures/guard-strategies.ts'

let fixture: FileFixture
let guard: FileGuard
const servers: Server[] = []

const inRoot = (path: string): string => join(fixture.root, path)
const inOut = (path: string): string => join(fixture.out, path)
const text = (path: string): string => readFileSync(inRoot(path), 'utf8')
const one = Buffer.from('1')

/** Every call that takes one path, with the rule that a link, several names or a special file breaks in each. */
type Calls = Readonly<Record<string, (path: string) => Promise<unknown>>>

const calls = {
  readFile: (path) => guard.readFile(path),
  'readFile in part': (path) => guard.readFile(path, { offset: 1, length: 1 }),
  writeFile: (path) => guard.writeFile(path, one),
  'writeFile with parents': (path) => guard.writeFile(path, one, { createParents: true }),
  'writeFile exclusively': (path) => guard.writeFile(path, one, { exclusive: true }),
  appendFile: (path) => guard.appendFile(path, one, { createParents: true }),
  deleteFile: (path) => guard.deleteFile(path),
  'copy from': (path) => guard.copy(path, 'copied'),
  'copy to': (path) => guard.copy('a.txt', path, { overwrite: true, createParents: true }),
  'move from': (path) => guard.move(path, 'moved'),
  'move to': (path) => guard.move('a.txt', path, { overwrite: true, createParents: true }),
} satisfies Calls
const folderCalls: Calls = {
  listFolder: (path) => guard.listFolder(path),
  'listFolder with details': (path) => guard.listFolder(path, { details: true }),
  createFolder: (path) => guard.createFolder(path),
  deleteFolder: (path) => guard.deleteFolder(path),
  resolveFolder: async (path) => guard.resolveFolder(path, 'read'),
}
const allCalls = { ...calls, ...folderCalls }

describe.each(strategies)('attacks on the file guard, $strategy', ({ forcePaths }) => {
  const open = (
    options: Partial<FileGuardOptions> = {},
    exchanged?: Partial<FileSystemCalls>,
  ): void => {
    guard?.close()
    const { root } = fixture
    guard = openFileGuard(
      { read: [root], write: [root], baseFolder: root, ...options },
      { forcePaths, ...(exchanged === undefined ? {} : { fs: { ...fs, ...exchanged } }) },
    )
  }

  beforeEach(() => {
    fixture = makeFixture()
    open()
  })

  afterEach(() => {
    guard.close()
    for (const server of servers.splice(0)) server.close()
    fixture.remove()
  })

  /** Tries every call on a path; nothing outside may change, and all must be refused by one of the rules. */
  const expectAll = async (tried: Calls, path: string, rules: readonly string[]): Promise<void> => {
    const before = fixture.snapshotOutside()
    for (const [name, call] of Object.entries(tried)) {
      expect(rules, `${name} ${path}`).toContain(await verdict(call(path)))
    }
    expect(fixture.snapshotOutside()).toBe(before)
    expect(text('a.txt')).toBe('A')
  }

  it('refuses links to files, to folders, to nothing and to themselves, in every call', async () => {
    symlinkSync(inOut('secret.txt'), inRoot('file'))
    symlinkSync('a.txt', inRoot('inside'))
    symlinkSync(fixture.out, inRoot('folder'))
    symlinkSync(inOut('new'), inRoot('dangling'))
    symlinkSync('loop', inRoot('loop'))
    symlinkSync('/proc/self/fd', inRoot('magic'))
    for (const path of ['file', 'inside', 'folder', 'dangling', 'loop', 'magic']) {
      await expectAll(allCalls, path, ['fs.symlink'])
    }
    expect(readdirSync(fixture.root)).not.toContain('moved')
  })

  it('refuses links in the middle of a path, in every call', async () => {
    symlinkSync(fixture.out, inRoot('folder'))
    symlinkSync('/proc/self/root', inRoot('d/proc'))
    symlinkSync('.', inRoot('here'))
    for (const path of [
      'folder/secret.txt',
      'folder/new',
      'd/proc/etc/passwd',
      'here/a.txt',
      'here/here/x',
    ]) {
      await expectAll(allCalls, path, ['fs.symlink'])
    }
    expect(await verdict(guard.stat('folder/secret.txt'))).toBe('fs.symlink')
  })

  it('refuses files with several names, in every call, also when both are inside', async () => {
    linkSync(inOut('secret.txt'), inRoot('w/hard'))
    writeFileSync(inRoot('w/one'), 'x')
    linkSync(inRoot('w/one'), inRoot('w/two'))
    const { 'writeFile exclusively': exclusively, ...others } = calls
    for (const path of ['w/hard', 'w/one', 'w/two']) {
      await expectAll(others, path, ['fs.hardlink'])
      await expectAll({ exclusively }, path, ['fs.hardlink', 'FILE_EXISTS'])
    }
    expect(await guard.stat('w/hard')).toMatchObject({ type: 'file' })
  })

  it('refuses pipes, sockets and devices without waiting for them, in every call', async () => {
    execFileSync('mkfifo', [inRoot('pipe')])
    servers.push(createServer().listen(inRoot('socket')))
    await new Promise((resolve) => {
      servers[0]?.once('listening', resolve)
    })
    const special = ['pipe', 'socket']
    try {
      execFileSync('mknod', [inRoot('device'), 'c', '1', '5'], { stdio: 'ignore' })
      special.push('device')
    } catch {
      // Only the administrator can make devices; then nobody else can put one there either.
    }
    for (const path of special) {
      await expectAll(calls, path, ['fs.special'])
      expect(await guard.stat(path)).toMatchObject({ type: 'other' })
      expect(await verdict(guard.listFolder(path))).toBe('FILE_NOT_FOLDER')
      expect(await verdict(guard.readFile(`${path}/x`))).toBe('FILE_NOT_FOLDER')
    }
  })

  it('refuses what lies outside, however it is written', async () => {
    mkdirSync(`${fixture.root}-evil`)
    writeFileSync(`${fixture.root}-evil/x`, 'x')
    for (const path of [
      '/etc/passwd',
      '/dev/stdin',
      '/dev/null',
      '/proc/self/environ',
      '/proc/self/fd/0',
      '/proc/self/cwd/a.txt',
      '/proc/thread-self/root/etc/passwd',
      '/sys/kernel/notes',
      '..',
      '../out/secret.txt',
      'd/../../out/secret.txt',
      'a.txt/../../out/secret.txt',
      'missing/../../out/secret.txt',
      '....//../..//out/secret.txt/../../../..',
      `${fixture.root}/../out/secret.txt`,
      `${fixture.root}-evil/x`,
      `/proc/self/root${fixture.out}/secret.txt`,
      fixture.out,
      'file:///etc/passwd',
      'a.txt\0',
      'a.txt\n',
      'a\uD800',
      '',
    ]) {
      await expectAll(allCalls, path, ['fs.path'])
      expect(await verdict(guard.stat(path))).toBe('fs.path')
    }
  })

  it('refuses what is no text, without asking it for one', async () => {
    const trap = {
      toString: () => {
        throw new Error('was asked')
      },
      [Symbol.toPrimitive]: () => {
        throw new Error('was asked')
      },
    }
    for (const path of [
      0,
      null,
      undefined,
      true,
      5n,
      Symbol('x'),
      [inRoot('a.txt')],
      trap,
      Buffer.from('a.txt'),
      new URL('file:///etc/passwd'),
    ]) {
      for (const call of Object.values(allCalls)) {
        expect(await verdict(call(path as unknown as string))).toBe('fs.path')
      }
    }
  })

  it('refuses protected names in every call, whatever they are called for', async () => {
    mkdirSync(inRoot('.git'))
    writeFileSync(inRoot('.git/config'), 'x')
    writeFileSync(inRoot('.env'), 'KEY')
    for (const path of [
      '.git',
      '.git/config',
      '.GIT/config',
      '.git./config',
      '.g\u200Cit/config',
      'git~1/config',
      '.env',
      '.ENV',
      'd/../.env',
      '.ssh/x',
      'w/.npmrc',
    ]) {
      await expectAll(allCalls, path, ['fs.protected'])
      expect(await verdict(guard.stat(path))).toBe('fs.protected')
    }
    expect(text('.git/config')).toBe('x')
  })

  describe('denied places', () => {
    beforeEach(() => {
      mkdirSync(inRoot('data/inner'), { recursive: true })
      writeFileSync(inRoot('data/inner/log'), 'L')
      symlinkSync(fixture.root, join(fixture.folder, 'alias'))
      const alias = join(fixture.folder, 'alias')
      open({
        read: [fixture.root, alias],
        write: [fixture.root, alias],
        denied: [inRoot('data'), 'later', 'd/file'],
      })
    })

    it('are not reached by any name', async () => {
      for (const path of [
        'data',
        'data/inner',
        'data/inner/log',
        'data/new',
        inRoot('data/inner/log'),
        'd/../data/inner/log',
        join(fixture.folder, 'alias/data/inner/log'),
      ]) {
        await expectAll(allCalls, path, ['fs.path'])
        expect(await verdict(guard.stat(path))).toBe('fs.path')
      }
      expect(text('data/inner/log')).toBe('L')
    })

    it('are not reached when somebody gave them another name', async () => {
      renameSync(inRoot('data'), inRoot('renamed'))
      expect(await verdict(guard.readFile('renamed/inner/log'))).toBe('fs.path')
      await expectAll(allCalls, 'renamed', ['fs.path'])
      await expectAll(allCalls, 'renamed/inner/log', ['fs.path'])
    })

    it('may come later', async () => {
      mkdirSync(inRoot('later'))
      writeFileSync(inRoot('later/x'), 'X')
      expect(await verdict(guard.readFile('later/x'))).toBe('fs.path')
      await expectAll(allCalls, 'later/x', ['fs.path'])
      await expectAll(allCalls, 'later', ['fs.path'])
      await expectAll(allCalls, 'd/file', ['fs.path'])
    })

    it('do not move away with a folder above', async () => {
      mkdirSync(inRoot('p/q'), { recursive: true })
      open({ denied: [inRoot('p/q')] })
      expect(await verdict(guard.move('p', 'other'))).toBe('fs.path')
      expect(await verdict(guard.deleteFolder('p'))).toBe('fs.path')
      expect(await verdict(guard.move('d', 'p', { overwrite: true }))).toBe('fs.path')
    })

    it('open from a prefix of a name that merely looks alike', async () => {
      await guard.writeFile('database', one)
      expect((await guard.readFile('database')).toString()).toBe('1')
    })
  })

  it('keeps to where the allowed folder was when the guard was opened', async () => {
    const alias = join(fixture.folder, 'alias')
    symlinkSync(fixture.root, alias)
    open({ read: [alias], write: [alias], baseFolder: alias })
    fs.unlinkSync(alias)
    symlinkSync(fixture.out, alias)
    expect((await guard.readFile('a.txt')).toString()).toBe('A')
    expect(await verdict(guard.readFile(join(alias, 'secret.txt')))).toBe('FILE_NOT_FOUND')
    const before = fixture.snapshotOutside()
    await guard.writeFile(join(alias, 'x'), one)
    expect(fixture.snapshotOutside()).toBe(before)
    expect(text('x')).toBe('1')
  })

  it('never reaches what was put in the place of the allowed folder', async () => {
    renameSync(fixture.root, `${fixture.root}.old`)
    symlinkSync(fixture.out, fixture.root)
    const before = fixture.snapshotOutside()
    for (const call of Object.values(allCalls)) {
      await verdict(call('secret.txt'))
      await verdict(call('new/x'))
    }
    const read = await guard.readFile('secret.txt').catch(() => Buffer.alloc(0))
    expect(read.toString()).not.toContain('SECRET')
    expect(fixture.snapshotOutside()).toBe(before)
    fs.unlinkSync(fixture.root)
    renameSync(`${fixture.root}.old`, fixture.root)
  })

  it('notices a file that grows past the limit while it is read', async () => {
    open(
      { maxReadBytes: 1_000 },
      {
        readSync: ((descriptor: number, ...rest: [Buffer, number, number, number]) => {
          fs.appendFileSync(inRoot('growing'), Buffer.alloc(400, 'g'))
          return fs.readSync(descriptor, ...rest)
        }) as typeof fs.readSync,
      },
    )
    writeFileSync(inRoot('growing'), Buffer.alloc(900, 'g'))
    expect(await verdict(guard.readFile('growing'))).toBe('fs.size')
  })

  it('gives what is there of a file that shrinks or grows within the limit while it is read', async () => {
    let change = (): void => fs.truncateSync(inRoot('x'), 3)
    open(
      {},
      {
        readSync: ((descriptor: number, ...rest: [Buffer, number, number, number]) => {
          change()
          return fs.readSync(descriptor, ...rest)
        }) as typeof fs.readSync,
      },
    )
    writeFileSync(inRoot('x'), 'abcdef')
    expect((await guard.readFile('x')).toString()).toBe('abc')
    change = (): void => {
      change = () => undefined
      fs.appendFileSync(inRoot('x'), 'grown')
    }
    expect((await guard.readFile('x')).toString()).toBe('abcgrown')
  })

  describe('in the worst moment', () => {
    /** Opens a guard for whom `strike` happens once, right before a call of the operating system. */
    const openStruck = (
      name: 'renameSync' | 'linkSync' | 'unlinkSync' | 'mkdirSync' | 'rmdirSync' | 'openSync',
      strike: () => void,
      when: (path: string) => boolean = () => true,
    ): { readonly struck: () => boolean } => {
      let struck = false
      const original = fs[name] as (...parameters: unknown[]) => unknown
      open(
        {},
        {
          [name]: (...parameters: unknown[]) => {
            if (!struck && when(String(parameters[0]))) {
              struck = true
              strike()
            }
            return original(...parameters)
          },
        },
      )
      return { struck: () => struck }
    }
    const swapFolder = (): void => {
      renameSync(inRoot('w'), inRoot('w.old'))
      symlinkSync(fixture.out, inRoot('w'))
    }
    const swapFile = (): void => {
      renameSync(inRoot('w/x'), inRoot('w/x.old'))
      symlinkSync(inOut('target.txt'), inRoot('w/x'))
    }

    beforeEach(() => {
      writeFileSync(inRoot('w/x'), 'old')
      writeFileSync(inOut('x'), 'SECRET')
    })

    it.each([
      ['renameSync', swapFolder],
      ['renameSync', swapFile],
      ['openSync', swapFolder],
      ['openSync', swapFile],
    ] as const)('a write before %s changes nothing outside', async (name, strike) => {
      const isWorthIt = (path: string): boolean => /\.part$|\/x$/u.test(path)
      const { struck } = openStruck(name, strike, isWorthIt)
      const before = fixture.snapshotOutside()
      await verdict(guard.writeFile('w/x', Buffer.from('new')))
      expect(struck()).toBe(true)
      expect(fixture.snapshotOutside()).toBe(before)
    })

    it.each([swapFolder, swapFile])('a read gives nothing from outside (%#)', async (strike) => {
      const { struck } = openStruck('openSync', strike, (path) => path.endsWith('/x'))
      const result = await guard.readFile('w/x').then(String, () => 'refused')
      expect(struck()).toBe(true)
      expect(result).not.toContain('SECRET')
      expect(result).not.toContain('TARGET')
    })

    it('an append does not reach through a link that came meanwhile', async () => {
      const { struck } = openStruck('openSync', swapFile, (path) => path.endsWith('/x'))
      const before = fixture.snapshotOutside()
      await verdict(guard.appendFile('w/x', one))
      expect(struck()).toBe(true)
      expect(fixture.snapshotOutside()).toBe(before)
    })

    it('a new file does not replace one that came meanwhile, if so wanted', async () => {
      openStruck('linkSync', () => writeFileSync(inRoot('w/y'), 'theirs'))
      expect(await verdict(guard.writeFile('w/y', one, { exclusive: true }))).toBe('FILE_EXISTS')
      expect(text('w/y')).toBe('theirs')
      expect(readdirSync(inRoot('w')).toSorted()).toEqual(['x', 'y'])
    })

    it('an append to a new file keeps what somebody else wrote meanwhile', async () => {
      openStruck('linkSync', () => writeFileSync(inRoot('w/y'), 'theirs'))
      await guard.appendFile('w/y', one)
      expect(text('w/y')).toBe('theirs1')
    })

    it('a folder that was moved out of the allowed one is written to no more', async () => {
      const moveOut = ((descriptor: number, done: fs.NoParamCallback) => {
        if (readdirSync(fixture.root).includes('w'))
          renameSync(inRoot('w'), join(fixture.folder, 'gone'))
        fs.fsync(descriptor, done)
      }) as typeof fs.fsync
      open({}, { fsync: moveOut })
      expect(await verdict(guard.writeFile('w/x', Buffer.from('new')))).toMatch(
        /^fs\.symlink$|^FILE_NOT_FOUND$/,
      )
      expect(readFileSync(join(fixture.folder, 'gone/x'), 'utf8')).toBe('old')
    })

    it('a folder that was deleted while it was used is told of', async () => {
      const remove = ((descriptor: number, done: fs.NoParamCallback) => {
        fs.rmSync(inRoot('w'), { recursive: true, force: true })
        fs.fsync(descriptor, done)
      }) as typeof fs.fsync
      open({}, { fsync: remove })
      expect(await verdict(guard.writeFile('w/x', Buffer.from('new')))).toMatch(
        /^fs\.symlink$|^FILE_NOT_FOUND$/,
      )
      expect(readdirSync(fixture.root)).not.toContain('w')
    })
  })
})

describe('attacks in the worst moment, by descriptors', () => {
  // By paths these would hit; the file that says how files are reached by paths says so too.
  const strikes: Readonly<
    Record<string, { name: keyof FileSystemCalls; call: () => Promise<unknown> }>
  > = {
    deletion: { name: 'unlinkSync', call: () => guard.deleteFile('w/x') },
    'deletion of a folder': { name: 'rmdirSync', call: () => guard.deleteFolder('w/e') },
    'a new folder': { name: 'mkdirSync', call: () => guard.createFolder('w/new/er') },
    'a move from': { name: 'renameSync', call: () => guard.move('w/x', 'y', { overwrite: true }) },
    'a move to': {
      name: 'renameSync',
      call: () => guard.move('a.txt', 'w/x', { overwrite: true }),
    },
    'a copy to': {
      name: 'renameSync',
      call: () => guard.copy('a.txt', 'w/x', { overwrite: true }),
    },
    'a list': { name: 'opendirSync', call: () => guard.listFolder('w') },
  }

  it.each(Object.keys(strikes))('%s touches nothing outside', async (which) => {
    fixture = makeFixture()
    const { name, call } =
      strikes[which] ??
      (() => {
        throw new Error(which)
      })()
    for (const folder of [inRoot('w'), fixture.out]) {
      mkdirSync(join(folder, 'e'))
      writeFileSync(join(folder, 'x'), 'x')
    }
    const before = fixture.snapshotOutside()
    const original = fs[name] as (...parameters: unknown[]) => unknown
    let struck = false
    const strike = (...parameters: unknown[]): unknown => {
      if (!struck) {
        struck = true
        renameSync(inRoot('w'), inRoot('w.old'))
        symlinkSync(fixture.out, inRoot('w'))
      }
      return original(...parameters)
    }
    guard = openFileGuard(
      { read: [fixture.root], write: [fixture.root] },
      { fs: { ...fs, [name]: strike } },
    )
    const result = await call().catch(() => undefined)
    expect(struck).toBe(true)
    expect(fixture.snapshotOutside()).toBe(before)
    expect(JSON.stringify(result) ?? '').not.toContain('secret.txt')
    guard.close()
    fixture.remove()
  })
})

describe('races with a thread that exchanges a folder and a link', () => {
  const races: Readonly<Record<string, (index: number) => Promise<unknown>>> = {
    reads: () => guard.readFile('rd/secret.txt').then(String),
    writes: (index) => guard.writeFile(`rd/${index}`, one, { createParents: true }),
    appends: () => guard.appendFile('rd/target.txt', one),
    deletions: () => guard.deleteFile('rd/secret.txt'),
    'new folders': (index) => guard.createFolder(`rd/${index}/x`),
    'moves into': (index) => guard.move(`moving/${index % 300}`, `rd/${index}`),
    'moves out of': (index) => guard.move('rd/secret.txt', `stolen${index}`),
    'copies out of': (index) => guard.copy('rd/secret.txt', `stolen${index}`),
    lists: async () => JSON.stringify(await guard.listFolder('rd', { details: true })),
    looks: async () => JSON.stringify((await guard.stat('rd/secret.txt')) ?? null),
  }

  it.each(Object.keys(races))('%s: nothing is read or changed outside', async (which) => {
    fixture = makeFixture()
    mkdirSync(inRoot('moving'))
    for (let index = 0; index < 300; index += 1) writeFileSync(inRoot(`moving/${index}`), '')
    const before = fixture.snapshotOutside()
    guard = openFileGuard({ read: [fixture.root], write: [fixture.root] })
    const swapping = await startSwapping(inRoot('rd'), { target: fixture.out, kind: 'dir' })
    const results: unknown[] = []
    const hasMetLink = (): boolean =>
      results.some((result) => String(result).includes('symbolic link'))
    // On a busy machine the other thread may sleep for a while.
    for (let index = 0; index < 200 || (!hasMetLink() && index < 30_000); index += 1) {
      results.push(await races[which]?.(index).catch((error: unknown) => String(error)))
    }
    await swapping.stop()
    expect(hasMetLink()).toBe(true)
    expect(fixture.snapshotOutside()).toBe(before)
    for (const result of results) {
      expect(String(result)).not.toContain('SECRET')
      expect(String(result)).not.toMatch(/"name":"secret|"bytes":6/u)
    }
    expect(readdirSync(fixture.root).filter((name) => name.startsWith('stolen'))).toEqual([])
    guard.close()
    fixture.remove()
  })
})
