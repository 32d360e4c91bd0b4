import { createRequire } from 'node:module'
import { SourceSyntaxError } from './source-syntax-error.ts'
import type { SourcePlace } from './source-problem.ts'

interface TypeEraser {
  transformSync(source: string, options: { readonly mode: 'strip-only' }): { readonly code: string }
}

interface EraserError {
  readonly code: string
  readonly message?: unknown
  readonly startLine?: number
  readonly startColumn?: number
}

const require = createRequire(import.meta.url)
let eraser: TypeEraser | undefined

/**
 * Erases the types of a module: each becomes as many spaces, so that every line and column stays what it was.
 *
 * There are small sources on which the parser doubles its work with each level. So this runs in the thread that reads
 * sources, and nowhere else.
 *
 * @throws {SourceSyntaxError} with the rule `syntax`, `syntax.not-erasable` or `size`
 */
export function eraseTypes(source: string): string {
  const code = erase(source)
  if (code.length !== source.length)
    throw new SourceSyntaxError(
      'The source begins with a byte order mark or holds halves of characters. Remove them.',
      { rule: 'syntax' },
    )
  return code
}

/** Loads the parser before the first source comes, whose time is limited. */
export function prepareEraser(): void {
  eraser = require('amaro') as TypeEraser
  eraser.transformSync('let warm: 1', { mode: 'strip-only' })
}

function erase(source: string): string {
  if (eraser === undefined) prepareEraser()
  try {
    return eraser?.transformSync(source, { mode: 'strip-only' }).code ?? ''
  } catch (error) {
    if (isAnswer(error)) throw syntaxErrorOf(error, source)
    // After any failure that is no answer of the parser, its instance is thrown away, and another one is made ready.
    for (const path of Object.keys(require.cache)) delete require.cache[path]
    prepareEraser()
    throw new SourceSyntaxError(
      'The source nests too deep to be read. Split it into functions and statements.',
      { rule: 'size' },
    )
  }
}

function isAnswer(error: unknown): error is EraserError {
  if (error instanceof Error || typeof error !== 'object' || error === null) return false
  return 'code' in error && typeof error.code === 'string'
}

function syntaxErrorOf(
  { code, message, startColumn = 0, startLine = 1 }: EraserError,
  source: string,
): SourceSyntaxError {
  const length = source.split(/\r?\n/, startLine).at(-1)?.length ?? 0
  const place: SourcePlace = { line: startLine, column: Math.min(startColumn, length) + 1 }
  const said = String(message).replaceAll(/\s+/g, ' ').trim().slice(0, 300).toWellFormed()
  const sentence = `${said.replace(/\.$/, '')}.`
  return code === 'UnsupportedSyntax'
    ? new SourceSyntaxError(`${sentence} ${notErasableHint(said)}`, {
        rule: 'syntax.not-erasable',
        ...place,
      })
    : new SourceSyntaxError(sentence, { rule: 'syntax', ...place })
}

function notErasableHint(message: string): string {
  if (message.includes('enum')) return 'Use an object "as const" or a union of texts.'
  if (/namespace|module/.test(message)) return 'Use plain functions and constants.'
  if (message.includes('parameter property')) return 'Declare the field and set it in the body.'
  if (/import equals|export assignment/.test(message)) return 'Use import and export.'
  return 'Only types that can be erased are taken.'
}
