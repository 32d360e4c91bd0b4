// What a guarded read of a small file costs beside a plain one. Run: node --conditions=@toolcrib/source bench/file-read.ts
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileGuard } from '../src/files/file-guard-calls.ts'

const rounds = 7
const times = 2_000

const folder = mkdtempSync(join(tmpdir(), 'file-read-'))
mkdirSync(join(folder, 'a/b/c'), { recursive: true })
const text = 'x'.repeat(200)
for (const name of ['small.txt', 'a/b/c/small.txt']) writeFileSync(join(folder, name), text)
const path = join(folder, 'small.txt')

const guard = openFileGuard({ read: [folder] })
const denying = openFileGuard({ read: [folder], denied: [join(folder, 'a')] })
const byPaths = openFileGuard({ read: [folder] }, { forcePaths: true })

const works: Readonly<Record<string, () => unknown>> = {
  'fs.readFileSync': () => readFileSync(path),
  'fs.promises.readFile': () => readFile(path),
  'guard.readFile': () => guard.readFile('small.txt'),
  'guard.readFile, absolute path': () => guard.readFile(path),
  'guard.readFile, with a denied folder': () => denying.readFile('small.txt'),
  'guard.readFile, three folders deep': () => guard.readFile('a/b/c/small.txt'),
  'guard.readFile, without descriptors': () => byPaths.readFile('small.txt'),
}

const medians = new Map<string, number[]>()
for (let round = 0; round < rounds; round += 1) {
  for (const [name, work] of Object.entries(works)) {
    const startedAt = performance.now()
    for (let index = 0; index < times; index += 1) await work()
    const microseconds = ((performance.now() - startedAt) * 1_000) / times
    medians.set(name, [...(medians.get(name) ?? []), microseconds])
  }
}
process.stdout.write(`microseconds a read of 200 bytes, median of ${rounds} rounds of ${times}\n`)
for (const [name, values] of medians) {
  const middle = values.toSorted((left, right) => left - right)[Math.floor(rounds / 2)] ?? 0
  process.stdout.write(`${middle.toFixed(1).padStart(8)}  ${name}\n`)
}
for (const opened of [guard, denying, byPaths]) opened.close()
rmSync(folder, { recursive: true })
