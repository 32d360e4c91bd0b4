import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authorDeclarations } from '../src/author.ts'
import { GuestRunner } from './guest-runner.ts'

/** What the engine has beyond the library `es2024`, known to nobody who reads the declarations. */
const undeclared = [
  'AsyncDisposableStack',
  'DisposableStack',
  'Float16Array',
  'InternalError',
  'Iterator',
  'SuppressedError',
  'fetch',
]
/** What that library has and the engine has not. */
const missing = ['Atomics', 'Intl']

const guest = new GuestRunner()
const folder = mkdtempSync(join(tmpdir(), 'author-declarations-'))
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
)

beforeAll(() => {
  writeFileSync(join(folder, 'globals.d.ts'), authorDeclarations)
})

afterAll(async () => {
  rmSync(folder, { recursive: true })
  await guest.close()
})

/** The problems that the compiler finds in a file beside the declarations. */
function check(name: string, text: string): readonly string[] {
  writeFileSync(join(folder, name), text)
  const flags = [
    '--noEmit',
    '--allowImportingTsExtensions',
    '--strict',
    '--pretty',
    'false',
    '--skipLibCheck',
    'false',
  ]
  const library = ['--target', 'es2024', '--lib', 'es2024', '--types', '', '--module', 'esnext']
  try {
    execFileSync(
      process.execPath,
      [compiler, ...flags, ...library, join(folder, 'globals.d.ts'), join(folder, name)],
      { encoding: 'utf8', cwd: folder },
    )
    return []
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout)
      .split('\n')
      .filter((line) => line.includes('error'))
  }
}

interface DeclaredMember {
  readonly owner: string
  readonly kind: 'class' | 'object'
  readonly name: string
  readonly isStatic: boolean
}

/** The members that the declarations name, read from their text: one at a line, two spaces in. */
function readDeclaredMembers(): readonly DeclaredMember[] {
  const members: DeclaredMember[] = []
  const blocks = authorDeclarations.matchAll(
    /^declare (?<kind>class|const) (?<owner>\w+)[^\n]*\{\n(?<body>.*?)^\}/gmsv,
  )
  for (const { groups = {} } of blocks) {
    const { kind, owner = '', body = '' } = groups
    for (const line of body.matchAll(
      /^ {2}(?<first>static )?(?:readonly )?(?<name>\w+|\[Symbol\.iterator\])[\(:<]/gmv,
    )) {
      const { first, name = '' } = line.groups ?? {}
      if (name === 'constructor') continue
      members.push({
        owner,
        kind: kind === 'class' ? 'class' : 'object',
        name: name.replace('[Symbol.iterator]', '@@iterator'),
        isStatic: first !== undefined,
      })
    }
  }
  return members
}

const readMembers = `
  const nameOf = (key) => (key === Symbol.iterator ? "@@iterator" : key);
  const own = (object) => Reflect.ownKeys(object).filter((key) => key !== "constructor" && (typeof key === "string" || key === Symbol.iterator)).map(nameOf);
`

test('what is declared exists in the guest', async () => {
  const members = readDeclaredMembers()
  const functions = [...authorDeclarations.matchAll(/^declare function (\w+)/gmv)].map(
    ([, name]) => name,
  )
  expect(members.length).toBeGreaterThan(60)
  expect(functions).toHaveLength(8)
  const { value } = await guest.run(
    `${readMembers}
    const absent = input.functions.filter((name) => typeof globalThis[name] !== "function");
    const instances = { AbortSignal: new AbortController().signal };
    for (const { owner, kind, name, isStatic } of input.members) {
      const holder = kind === "object" ? globalThis[owner] : isStatic ? globalThis[owner] : globalThis[owner].prototype;
      const key = name === "@@iterator" ? Symbol.iterator : name;
      if (!(key in holder) && !(instances[owner] && key in instances[owner])) absent.push(owner + "." + name);
    }
    return absent;`,
    { members, functions },
  )
  expect(value).toEqual([])
})

test('what exists in the guest is declared, and the rest is known', async () => {
  const { value } = await guest.run(`${readMembers}
    return Object.getOwnPropertyNames(globalThis).filter((name) => /^[\\w$]+$/.test(name));`)
  const names = value as readonly string[]
  const problems = check(
    'exists.ts',
    `export {}\n${[...names, ...missing].map((name) => `void (${name} as unknown)`).join('\n')}\n`,
  )
  const unknown = problems.flatMap(
    (problem) => /(?:find name '|error TS2693: ')(\w+)'/v.exec(problem)?.[1] ?? [],
  )
  expect(unknown.toSorted()).toEqual(undeclared)
  expect(problems).toHaveLength(undeclared.length)
  expect(names.filter((name) => missing.includes(name))).toEqual([])
})

test('each member that a shim has is declared', async () => {
  const declared = readDeclaredMembers()
  const owners = [...new Set(declared.map(({ owner }) => owner))]
  const { value } = await guest.run(
    `${readMembers}
    const all = [];
    for (const owner of input) {
      const holder = globalThis[owner];
      if (typeof holder !== "function") { for (const name of own(holder)) all.push(owner + "." + name); continue; }
      for (const name of own(holder.prototype)) all.push(owner + "." + name);
      for (const name of own(holder)) if (!["length", "name", "prototype"].includes(name)) all.push(owner + "." + name);
    }
    return all.filter((name) => !/^DOMException\\.[A-Z_]+_ERR$/.test(name));`,
    owners,
  )
  const known = new Set(declared.map(({ owner, name }) => `${owner}.${name}`))
  expect((value as readonly string[]).filter((name) => !known.has(name))).toEqual([])
})

test('ctx has the functions that ToolContext and AuthorContext name, and no others', async () => {
  const { value } = await guest.run(
    'return Object.fromEntries(Object.entries(ctx).map(([name, part]) => [name, typeof part === "function" || name === "call" ? typeof part : Object.keys(part)]));',
  )
  expect(value).toEqual({
    http: ['request', 'get', 'post', 'put', 'patch', 'delete', 'head'],
    fs: [
      'readText',
      'readBytes',
      'writeText',
      'writeBytes',
      'appendText',
      'exists',
      'stat',
      'list',
      'createFolder',
      'delete',
    ],
    secrets: ['ref'],
    tools: ['call'],
    call: 'object',
    log: 'function',
    sleep: 'function',
  })
  const author = JSON.stringify(new URL('../src/author.ts', import.meta.url).pathname)
  const problems = check(
    'same.ts',
    `import type { AuthorContext, AuthorHttpRequest } from ${author}
    declare const author: AuthorContext
    declare const tool: ToolContext
    export const one: ToolContext = author
    export const other: AuthorContext = tool
    type Same<A, B> = [keyof A] extends [keyof B] ? ([keyof B] extends [keyof A] ? true : false) : false
    export const same: [
      Same<AuthorContext, ToolContext>, Same<AuthorContext['http'], ToolContext['http']>,
      Same<AuthorContext['fs'], ToolContext['fs']>, Same<AuthorContext['call'], ToolContext['call']>,
      Same<AuthorHttpRequest, ToolHttpRequest>,
    ] = [true, true, true, true, true]`,
  )
  expect(problems).toEqual([])
})

test('a tool that uses what there is passes the compiler, and what is not there does not', () => {
  const good = check(
    'good.ts',
    `export default async ({ city }: { city: string }, { http, log, sleep }: ToolContext) => {
      const url = new URL('https://a.test/')
      url.searchParams.set('city', city)
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 10)
      const { json, ok } = await http.get(url.href, { headers: { accept: 'application/json' }, timeoutMs: 5 })
      log('info', String(ok))
      await sleep(1)
      console.log(new TextEncoder().encode('a').toBase64(), structuredClone({ a: 1 }).a, crypto.randomUUID())
      for (const [name, value] of url.searchParams) console.warn(name, value)
      return { city: json.name as string }
    }`,
  )
  expect(good).toEqual([])
  const bad = [
    'fetch("x")',
    'process.env',
    'require("fs")',
    'Buffer.from("")',
    'document',
    'window',
  ]
  expect(
    check('bad.ts', `export {}\n${bad.map((line) => `void ${line}`).join('\n')}\n`),
  ).toHaveLength(6)
})
