import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, posix } from 'node:path'
import { parse } from 'es-module-lexer/minimal/js'
import { aiModule } from './guest-modules-ai.ts'

/** What stands instead of files of zod that a guest has no use for, and that would only cost it time and memory. */
const replaced: Readonly<Record<string, string>> = {
  'v4/locales/index.js': "export { default as en } from './en.js'",
  'v4/core/compile.js': [
    "export const INVALID = Symbol.for('zod.compile.invalid')",
    'export class ZodCompileAsyncError extends Error {}',
    'export class ZodCompileUnsupportedError extends Error {}',
    "export const compile = () => { throw new Error('z.compile is not there in the sandbox') }",
    "export const withParser = () => { throw new Error('z.withParser is not there in the sandbox') }",
    "export const compileFn = () => { throw new Error('z.compile is not there in the sandbox') }",
  ].join('\n'),
  'v4/classic/from-json-schema.js':
    "export const fromJSONSchema = () => { throw new Error('z.fromJSONSchema is not there in the sandbox') }",
}

/** Compiled parsers would be compiled anew for each call, since a call finds the memory as it was after loading. */
const zodModule = [
  "import { config } from 'zod/index.js'",
  'config({ jitless: true })',
  "export * from 'zod/index.js'",
  "export { default } from 'zod/index.js'",
].join('\n')

let known: Readonly<Record<string, string>> | undefined

/**
 * The modules that a guest may import beside approved ones, as JavaScript by specifier: `zod`, the installed one with its
 * English messages, and `ai`, of which only the functions are there that describe a tool. Read from disk the first time.
 */
export function guestModules(): Readonly<Record<string, string>> {
  known ??= Object.freeze({ ai: aiModule, zod: zodModule, ...readZod() })
  return known
}

/** Changes whenever what a guest imports could behave differently, such as with the version of zod. */
export function guestModulesFingerprint(): string {
  const hash = createHash('sha256')
  for (const [specifier, source] of Object.entries(guestModules()))
    hash.update(`${specifier}\0${source}\0`)
  return hash.digest('hex').slice(0, 16)
}

// A guest's loader resolves nothing, so every specifier is written out: `zod/v4/core/util.js`.
function readZod(): Record<string, string> {
  const folder = join(createRequire(import.meta.url).resolve('zod/package.json'), '..')
  const modules: Record<string, string> = {}
  const waiting = ['index.js']
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (Object.hasOwn(modules, `zod/${file}`)) continue
    const source = replaced[file] ?? readFileSync(join(folder, file), 'utf8')
    const { imported, rewritten } = resolveImports(source, posix.dirname(file))
    modules[`zod/${file}`] = rewritten
    waiting.push(...imported)
  }
  return modules
}

function resolveImports(
  source: string,
  folder: string,
): { readonly imported: readonly string[]; readonly rewritten: string } {
  const imported: string[] = []
  let rewritten = ''
  let end = 0
  for (const { n: specifier, s: from, e: to } of parse(source)[0]) {
    if (specifier?.startsWith('.') !== true) continue
    const file = posix.join(folder, specifier)
    imported.push(file)
    rewritten += `${source.slice(end, from)}zod/${file}`
    end = to
  }
  return { imported, rewritten: rewritten + source.slice(end) }
}
