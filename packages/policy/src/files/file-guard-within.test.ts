import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ToolError } from '@toolcrib/registry'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openFileGuard } from './file-guard-calls.ts'
import { type FileGuard, type FileGuardOptions, createFileGuard } from './file-guard.ts'

let base: string
let workspace: string
const opened: FileGuard[] = []
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'within-'))
  workspace = join(base, 'workspace')
  for (const folder of ['data', 'drop', 'host'])
    mkdirSync(join(workspace, folder), { recursive: true })
  mkdirSync(join(base, 'out'))
  writeFileSync(join(base, 'out', 'secret.txt'), 'SECRET')
  writeFileSync(join(workspace, 'data', 'a.txt'), 'A')
  writeFileSync(join(workspace, '.env'), 'SECRET')
  writeFileSync(join(workspace, 'host', 'key.txt'), 'SECRET')
  writeFileSync(join(workspace, 'b.txt'), 'B')
})
afterEach(() => {
  for (const guard of opened.splice(0).toReversed()) guard.close()
  rmSync(base, { recursive: true })
})

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'nothing was thrown'
  } catch (error) {
    if (!ToolError.is(error)) throw error
    return typeof error.data['rule'] === 'string' ? error.data['rule'] : error.code
  }
}
const open = (options: FileGuardOptions, forcePaths = false): FileGuard => {
  const guard = openFileGuard({ baseFolder: workspace, ...options }, { forcePaths })
  opened.push(guard)
  return guard
}

describe.each([false, true])('a guard within another (without descriptors: %s)', (forcePaths) => {
  const openOuter = (options: Partial<FileGuardOptions> = {}): FileGuard =>
    open(
      { read: [workspace], write: [workspace], denied: [join(workspace, 'host')], ...options },
      forcePaths,
    )

  test('allows what both allow, and what is made later', async () => {
    const inner = open({ read: ['data', '/'.concat('not-there')], within: openOuter() }, forcePaths)
    expect(String(await inner.readFile('data/a.txt'))).toBe('A')
    writeFileSync(join(workspace, 'data', 'later.txt'), 'L')
    expect(String(await inner.readFile(join(workspace, 'data', 'later.txt')))).toBe('L')
    expect(await codeOf(inner.readFile('b.txt'))).toBe('fs.path')
    expect(await codeOf(inner.writeFile('data/a.txt', new Uint8Array(1)))).toBe('fs.path')
    expect(readFileSync(join(workspace, 'data', 'a.txt'), 'utf8')).toBe('A')
  })

  test('gives nothing that only the inner one names: outside, denied, protected', async () => {
    const wide = open(
      { read: [base, join(workspace, '.env')], write: [base], within: openOuter({ denied: [] }) },
      forcePaths,
    )
    expect(await codeOf(wide.readFile(join(base, 'out', 'secret.txt')))).toBe('fs.path')
    expect(await codeOf(wide.writeFile(join(base, 'new.txt'), new Uint8Array(1)))).toBe('fs.path')
    expect(await codeOf(wide.readFile('.env'))).toBe('fs.protected')
    expect(String(await wide.readFile('b.txt'))).toBe('B')
    const inner = open({ read: [workspace], within: openOuter() }, forcePaths)
    expect(await codeOf(inner.readFile('host/key.txt'))).toBe('fs.path')
  })

  test('follows no link that was put where its own folder was to be', async () => {
    symlinkSync(join(base, 'out'), join(workspace, 'reports'))
    const inner = open({ read: ['reports'], write: ['reports'], within: openOuter() }, forcePaths)
    expect(await codeOf(inner.readFile('reports/secret.txt'))).toBe('fs.path')
    expect(await codeOf(inner.writeFile('reports/new.txt', new Uint8Array(1)))).toBe('fs.path')
    expect(await codeOf(inner.stat('reports/secret.txt'))).toBe('fs.path')
  })

  test('a link below the outer one means nothing, wherever it leads and whoever put it there', async () => {
    const outer = openOuter()
    symlinkSync(join(workspace, 'drop'), join(workspace, 'reports'))
    symlinkSync(join(workspace, 'b.txt'), join(workspace, 'note.txt'))
    mkdirSync(join(workspace, 'drop', 'deep'))
    writeFileSync(join(workspace, 'drop', 'deep', 'other.txt'), 'O')
    for (const path of ['reports', 'reports/deep', 'reports/deep/other.txt', 'note.txt']) {
      const inner = open({ read: [path], write: [path], within: outer }, forcePaths)
      for (const file of [path, `${path}/other.txt`, 'drop/deep/other.txt', 'b.txt']) {
        expect(await codeOf(inner.readFile(file))).toBe('fs.path')
        expect(await codeOf(inner.writeFile(file, new Uint8Array(1)))).toBe('fs.path')
      }
    }
  })

  test('a link that the outer one names leads where it led when that was opened', async () => {
    symlinkSync(join(base, 'out'), join(workspace, 'reports'))
    mkdirSync(join(base, 'out', 'deep'))
    writeFileSync(join(base, 'out', 'deep', 'd.txt'), 'D')
    const outer = openOuter({ read: [workspace, join(workspace, 'reports')] })
    const inner = open({ read: ['reports/deep', 'data'], within: outer }, forcePaths)
    expect(String(await inner.readFile('reports/deep/d.txt'))).toBe('D')
    expect(String(await inner.readFile('data/a.txt'))).toBe('A')
  })

  test('moves nothing to where the outer one could read it', async () => {
    const outer = open({ read: [join(workspace, 'data')], write: [workspace] }, forcePaths)
    writeFileSync(join(workspace, 'drop', 'unread.txt'), 'U')
    const inner = open({ write: [workspace], within: outer }, forcePaths)
    expect(await codeOf(inner.move('drop/unread.txt', 'data/read.txt'))).toBe('fs.path')
  })

  test('lets nobody delete or move what the outer one stands on', async () => {
    const empty = join(workspace, 'empty')
    mkdirSync(empty)
    const outer = open({ read: [empty], write: [empty, join(workspace, 'drop')] }, forcePaths)
    const inner = open({ write: [workspace], within: outer }, forcePaths)
    expect(await codeOf(inner.deleteFolder('empty'))).toBe('fs.path')
    expect(await codeOf(inner.move('empty', 'drop/empty'))).toBe('fs.path')
    expect(statSync(empty).isDirectory()).toBe(true)
  })

  test('keeps the smaller limits of both', async () => {
    const inner = open(
      {
        read: ['data'],
        write: ['data'],
        maxReadBytes: 100,
        within: openOuter({ maxReadBytes: 4, maxWriteBytes: 4 }),
      },
      forcePaths,
    )
    await inner.writeFile('data/a.txt', new Uint8Array(4))
    expect(await codeOf(inner.writeFile('data/a.txt', new Uint8Array(5)))).toBe('fs.size')
    writeFileSync(join(workspace, 'data', 'a.txt'), '12345')
    expect(await codeOf(inner.readFile('data/a.txt'))).toBe('fs.size')
  })
})

test('what is no guard of ours cannot be stayed within', () => {
  expect(() => createFileGuard({ read: [workspace], within: {} as FileGuard })).toThrow(/within/)
})
