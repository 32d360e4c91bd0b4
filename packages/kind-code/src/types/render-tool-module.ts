import type { JsonSchema } from '@toolcrib/registry'
import { makeVisible } from '@toolcrib/toolsmaker/kind'
import { schemaToTypeScript } from './schema-types.ts'
import type { SourceProblem } from '../source/source-problem.ts'
import { readSource } from '../source/read-source.ts'
import { SourceSyntaxError } from '../source/source-syntax-error.ts'
import type { SourceOutline } from '../source-thread/source-tasks.ts'

/** What a module is rendered from. */
export interface ToolModuleParts {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  /** @default any output */
  readonly outputSchema?: JsonSchema
  /** The statements of `execute`, which has `input` and `ctx`. */
  readonly body: string
}

/** How a module is rendered. */
export interface RenderOptions {
  readonly signal?: AbortSignal
}

const maxCommentLines = 40
const commentWidth = 100
/** A name or a text in a schema that makes a longer line is not worth a type. */
const maxTypeLine = 500
const head =
  'export default async function execute(input: Input, ctx: ToolContext): Promise<Output> {\n'

/**
 * Renders the module of a tool from the body of its function. The same parts give the same bytes, whatever the order of
 * the properties of their schemas. Name and description stand in comments, where nothing of them can become code.
 *
 * @throws {SourceSyntaxError} with a place in the body, when the body cannot be read or ends its function by itself
 * @throws {ToolError} KIND_FAILED when too many sources wait to be read
 * @throws the reason of the signal
 */
export async function renderToolModule(
  parts: ToolModuleParts,
  { signal }: RenderOptions = {},
): Promise<string> {
  const start = renderStart(parts)
  const source = `${start}${parts.body}\n}\n`
  await assertBody(source, { start, bodyLine: countLines(start), signal })
  return source
}

/** A problem of a rendered module as one of its body, where it lies there. */
export function problemInBody(problem: SourceProblem, parts: ToolModuleParts): SourceProblem {
  const line = problem.line - countStart(parts) + 1
  return line < 1 || line > countLines(parts.body) ? problem : { ...problem, line }
}

/** A model is told of many problems of the same parts. */
const knownStarts = new WeakMap<ToolModuleParts, number>()

function countStart(parts: ToolModuleParts): number {
  const lines = knownStarts.get(parts) ?? countLines(renderStart(parts))
  knownStarts.set(parts, lines)
  return lines
}

function renderStart({
  description,
  inputSchema,
  name,
  outputSchema = {},
}: ToolModuleParts): string {
  const lines = `${name}\n${description}`.split(/\r\n|[\n\r\u2028\u2029]/).flatMap(wrap)
  const comment = lines.slice(0, maxCommentLines)
  if (lines.length > maxCommentLines) comment.push('…')
  return [
    // What follows "//" by spaces alone could be an instruction to a compiler.
    ...comment.map((line) => `// | ${line}`.trimEnd()),
    '',
    breakType(schemaToTypeScript(inputSchema, 'Input')),
    '',
    breakType(schemaToTypeScript(outputSchema, 'Output', { isOpen: true })),
    '',
    head,
  ].join('\n')
}

function wrap(text: string): readonly string[] {
  const visible = makeVisible(text.toWellFormed())
  const lines: string[] = []
  for (let rest = visible; lines.length <= maxCommentLines;) {
    if (rest.length <= commentWidth) return [...lines, rest]
    const space = rest.lastIndexOf(' ', commentWidth)
    const end = space > 0 ? space : commentWidth
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return lines
}

/** Long types get a line for each property and are broken at "|", so that no line is longer than a reviewer sees. */
function breakType(text: string): string {
  if (text.length <= 100) return text
  let depth = 0
  const lines = ['']
  for (const piece of text.match(/"(?:[^"\\]|\\.)*"|[^"]/gs) ?? []) {
    const last = lines.length - 1
    const indent = (): string => '  '.repeat(depth)
    if (piece === '{') {
      depth += 1
      lines[last] += '{'
      lines.push(indent())
    } else if (piece === ';') lines.push(indent())
    else if (piece === '}') {
      depth -= 1
      lines.push(`${indent()}}`)
    } else if (piece === '|' && (lines[last] ?? '').length > 80) lines.push(`${indent()}  |`)
    // Nothing stands between the indentation and a property.
    else if (piece !== ' ' || (lines[last] ?? '').trim() !== '') lines[last] += piece
  }
  const broken = lines.map((line) => line.trimEnd())
  if (broken.every((line) => line.length < maxTypeLine)) return broken.join('\n')
  return `${text.slice(0, text.indexOf('='))}= unknown`
}

interface BodyPlace {
  readonly start: string
  readonly bodyLine: number
  readonly signal: AbortSignal | undefined
}

async function assertBody(source: string, { bodyLine, signal, start }: BodyPlace): Promise<void> {
  const { defaultExport, statements } = await readOutline(source, { bodyLine, signal })
  const end = defaultExport?.end ?? start.length
  if (statements === 1 && defaultExport?.isFirst === true && end === source.length - 1) return
  throw new SourceSyntaxError(
    'The body ends its function by itself. Write only what belongs between the braces of the function.',
    { rule: 'syntax', line: countLines(source.slice(0, end)) - bodyLine + 1 },
  )
}

async function readOutline(
  source: string,
  { bodyLine, signal }: Pick<BodyPlace, 'bodyLine' | 'signal'>,
): Promise<SourceOutline> {
  try {
    return await readSource<'outline'>({ name: 'outline', source }, { signal })
  } catch (error) {
    if (!(error instanceof SourceSyntaxError)) throw error
    const { column, message, rule } = error
    const line = Math.max(1, error.line - bodyLine + 1)
    const isLast = error.line >= countLines(source) - 1
    throw new SourceSyntaxError(
      isLast ? `${message} The braces of the body do not match.` : message,
      { rule, line, column },
    )
  }
}

function countLines(text: string): number {
  return text.split('\n').length
}
