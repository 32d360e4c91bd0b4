import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FolderMadeOnce, copyFolderMadeOnce, placeOfFolder } from './folder-made-once.ts'

const made: FolderMadeOnce[] = []
let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'made-once-'))
})
afterAll(async () => {
  for (const path of [root, ...made.map(placeOfFolder)])
    await rm(path, { recursive: true, force: true })
})

function describeFolder(): FolderMadeOnce & { readonly times: () => number } {
  let times = 0
  const folder = {
    name: `test-${randomUUID()}`,
    madeFrom: [],
    make: async (path: string) => {
      times += 1
      await mkdir(path)
      await writeFile(join(path, 'content'), 'original')
    },
    times: () => times,
  }
  made.push(folder)
  return folder
}

test('a folder that many want at once is made once, and each has a copy of its own', async () => {
  const folder = describeFolder()
  const targets = Array.from({ length: 5 }, (_, index) => join(root, `copy-${index}`))
  await Promise.all(targets.map((target) => copyFolderMadeOnce(folder, target)))
  await writeFile(join(targets[0] ?? '', 'content'), 'changed')
  expect(await readFile(join(targets[1] ?? '', 'content'), 'utf8')).toBe('original')
  await copyFolderMadeOnce(folder, join(root, 'later'))
  expect(folder.times()).toBe(1)
})

test('a folder is made anew when that from which it is made has changed', async () => {
  const folder = describeFolder()
  await copyFolderMadeOnce(folder, join(root, 'before'))
  const changed = { ...folder, madeFrom: ['another version'] }
  made.push(changed)
  await copyFolderMadeOnce(changed, join(root, 'after'))
  expect(folder.times()).toBe(2)
})

test('a folder whose making failed is not there, and the next one makes it', async () => {
  const folder = describeFolder()
  const broken = { ...folder, make: () => Promise.reject(new Error('no room')) }
  await expect(copyFolderMadeOnce(broken, join(root, 'broken'))).rejects.toThrow('no room')
  expect(existsSync(join(root, 'broken'))).toBe(false)
  await copyFolderMadeOnce(folder, join(root, 'whole'))
  expect(await readFile(join(root, 'whole/content'), 'utf8')).toBe('original')
})

test('the lock of a process that is gone holds nobody up', async () => {
  const folder = describeFolder()
  await mkdir(dirname(placeOfFolder(folder)), { recursive: true })
  await writeFile(`${placeOfFolder(folder)}.lock`, '2147483646')
  await copyFolderMadeOnce(folder, join(root, 'unlocked'))
  expect(folder.times()).toBe(1)
})
