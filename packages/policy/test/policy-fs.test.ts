import { execFileSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { ToolError } from '@toolcrib/registry'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFileGuard } from '../src/files/file-guard-calls.ts'
import type { FileGuard } from '../src/files/file-guard.ts'
import { isWithin, readPath } from '../src/files/paths/path-lexical.ts'
import { findProtectedStep } from '../src/files/paths/path-protected.ts'
import { ToolPolicyViolation } from '../src/policies/policy-violation.ts'
import { type FileFixture, makeFixture, startSwapping } from './fixtures/file-fixture.ts'

interface Case {
  readonly id: string
  readonly what: string
  readonly setup: readonly (readonly [kind: string, path: string, extra?: string | number])[]
  readonly policy: { readonly read: readonly string[]; readonly write: readonly string[] }
  readonly op: string
  readonly path: unknown
  readonly data?: string | { readonly repeat: readonly [string, number] }
  readonly windows?: true
  readonly race?: {
    readonly kind: 'final' | 'dir'
    readonly path: string
    readonly target: string
    readonly n: number
  }
  readonly expected: { readonly outcome: string; readonly rule?: string; readonly text?: string }
}

const corpus = JSON.parse(
  readFileSync(join(import.meta.dirname, 'corpus/policy-fs.json'), 'utf8'),
) as { readonly cases: readonly Case[] }

let fixture: FileFixture
const servers: Server[] = []

beforeEach(() => {
  fixture = makeFixture()
})

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
  fixture.remove()
})

const fill = (text: string): string =>
  text.replaceAll('$ROOT', fixture.root).replaceAll('$OUT', fixture.out)

function build([kind, given, extra = '']: Case['setup'][number]): void {
  const path = fill(given)
  mkdirSync(dirname(path), { recursive: true })
  if (kind === 'file') writeFileSync(path, String(extra))
  else if (kind === 'dir') mkdirSync(path, { recursive: true })
  else if (kind === 'symlink') symlinkSync(fill(String(extra)), path)
  else if (kind === 'hardlink') linkSync(fill(String(extra)), path)
  else if (kind === 'fifo') execFileSync('mkfifo', [path])
  else if (kind === 'socket') servers.push(createServer().listen(path))
  else if (kind === 'big') writeFileSync(path, Buffer.alloc(Number(extra), 'b'))
  else if (kind === 'sparse') {
    writeFileSync(path, '')
    truncateSync(path, Number(extra))
  } else throw new Error(`unknown setup: ${kind}`)
}

const toData = (data: Case['data']): Buffer =>
  Buffer.from(typeof data === 'object' ? data.repeat[0].repeat(data.repeat[1]) : (data ?? ''))

const operations: Readonly<
  Record<string, (guard: FileGuard, path: string, data: Buffer) => Promise<string | undefined>>
> = {
  read: async (guard, path) => (await guard.readFile(path)).toString(),
  write: async (guard, path, data) => guard.writeFile(path, data).then(() => undefined),
  append: async (guard, path, data) => guard.appendFile(path, data).then(() => undefined),
  delete: async (guard, path) => guard.deleteFile(path).then(() => undefined),
  mkdir: async (guard, path) => guard.createFolder(path).then(() => undefined),
  list: async (guard, path) => JSON.stringify(await guard.listFolder(path, { details: true })),
  stat: async (guard, path) => JSON.stringify(await guard.stat(path)),
}

async function run(
  { op, policy, path, data }: Case,
  { forcePaths, tries = 1 }: { readonly forcePaths: boolean; readonly tries?: number },
): Promise<(string | undefined)[]> {
  const guard = openFileGuard(
    { read: policy.read.map(fill), write: policy.write.map(fill), baseFolder: fixture.root },
    { forcePaths },
  )
  // `$HOME` and the like are left alone.
  const real = (typeof path === 'string' ? fill(path) : path) as string
  const once = async (): Promise<string | undefined> => {
    const { [op]: perform } = operations
    if (perform === undefined) throw new TypeError(`unknown operation: ${op}`)
    return perform(guard, real, toData(data))
  }
  try {
    if (tries === 1) return [await once()]
    const results: (string | undefined)[] = []
    // On a busy machine the other thread may sleep for a while: until it was met, ten times as often.
    const isOver = (): boolean =>
      results.includes('refused') && (forcePaths || new Set(results).size > 1)
    for (let index = 0; index < tries || (!isOver() && index < tries * 10); index += 1) {
      results.push(await once().catch(() => 'refused'))
    }
    return results
  } finally {
    guard.close()
  }
}

describe.each([
  { strategy: 'by descriptors', forcePaths: false },
  { strategy: 'by paths', forcePaths: true },
])('the corpus of path attacks, $strategy', ({ forcePaths }) => {
  const cases = corpus.cases.filter(({ windows, race }) => windows !== true && race === undefined)

  it.each(cases)('$id: $what', async (attack) => {
    for (const row of attack.setup) build(row)
    const before = fixture.snapshotOutside()
    const { outcome, rule, text } = attack.expected
    const result = await run(attack, { forcePaths }).then(
      ([value]) => ({ value }),
      (error: unknown) => ({ error }),
    )
    expect(fixture.snapshotOutside()).toBe(before)
    if (outcome === 'ok') {
      expect(result).toEqual({ value: text })
      return
    }
    const { error } = result as { error: unknown }
    expect(ToolError.is(error), String(error)).toBe(true)
    expect(String(error)).not.toContain('SECRET')
    if (outcome === 'violation') expect(ToolPolicyViolation.isViolation(error)).toBe(true)
    else expect(outcome).toBe('refused')
    if (rule !== undefined) expect((error as ToolPolicyViolation).rule).toBe(rule)
  })

  const races = corpus.cases.filter(({ race }) => race !== undefined)

  it.each(races)('$id: $what', async (attack) => {
    const { path, target, kind, n } = attack.race as NonNullable<Case['race']>
    for (const row of attack.setup) build(row)
    // Something that may be read, for a race that always fails would show nothing.
    const readable = resolve(fixture.root, fill(String(attack.path)))
    if (kind === 'dir' && attack.op === 'read' && !existsSync(readable)) {
      build(['file', readable, 'fine'])
    }
    const before = fixture.snapshotOutside()
    const swapping = await startSwapping(fill(path), { target: fill(target), kind })
    const results = await run(attack, { forcePaths, tries: n })
    await swapping.stop()
    expect(results.filter((text) => text?.includes('SECRET') === true)).toEqual([])
    // By paths an empty file under a name that means nothing may stay behind; that is documented.
    const after = fixture.snapshotOutside()
    expect(forcePaths ? after.replaceAll(/^\.toolcrib-\w+\.part 100644 \n/gmu, '') : after).toBe(
      before,
    )
    // The race was one, and it ends. By paths every try may be refused while it lasts.
    expect(results).toContain('refused')
    if (!forcePaths) expect(results.some((text) => text !== 'refused')).toBe(true)
    await run(attack, { forcePaths })
  })
})

describe('the corpus of path attacks, by the rules of Windows', () => {
  const base = { prefix: 'C:/', steps: ['work', 'root'], namesFolder: false }

  const isRefused = (path: unknown, access: 'read' | 'write'): boolean => {
    const read = readPath(path, { platform: 'windows', base })
    if ('fault' in read || !isWithin(read, base)) return true
    return findProtectedStep(read.steps.slice(base.steps.length), access) !== undefined
  }

  it.each(corpus.cases.filter(({ windows }) => windows))('$id: $what', ({ path, op, expected }) => {
    expect(isRefused(path, op === 'read' ? 'read' : 'write')).toBe(expected.outcome !== 'ok')
  })

  it('and harmless paths are none', () => {
    for (const path of ['a.txt', 'd\\a.txt', 'd/a b.txt']) {
      expect(isRefused(path, 'write')).toBe(false)
    }
  })
})
