import { type Options, type Program, parse } from 'acorn'

/** What parsing gave: a program, or why it is none. */
export type ParsedScript =
  | { readonly program: Program }
  | { readonly reason: string; readonly line: number }

/** What both releases of n8n read; newer syntax is none to them. */
const expressionOptions: Options = { ecmaVersion: 2024, sourceType: 'script' }

const codeOptions: Options = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
}

/** Parses what stands between `{{` and `}}`. n8n runs its first statement, which must be an expression. */
export function parseExpression(code: string): ParsedScript {
  // An object, and not a block.
  const text = code.trimStart().startsWith('{') ? `(${code})` : code
  const parsed = parseWith(text, expressionOptions)
  if ('reason' in parsed) return parsed
  const [first] = parsed.program.body
  if (first === undefined) return { reason: 'it is empty', line: 1 }
  if (first.type === 'ExpressionStatement') return parsed
  return { reason: 'it is a statement, and n8n takes an expression only', line: 1 }
}

/** Parses the JavaScript of a Code node, which is the body of an async function. */
export function parseCode(code: string): ParsedScript {
  return parseWith(code, codeOptions)
}

function parseWith(code: string, options: Options): ParsedScript {
  try {
    return { program: parse(code, options) }
  } catch (error) {
    if (error instanceof SyntaxError) {
      const { line } = (error as { loc?: { line: number } }).loc ?? { line: 1 }
      return { reason: error.message.replace(/ \(\d+:\d+\)$/, ''), line }
    }
    // Brackets in brackets, until the stack is full.
    return { reason: 'it nests too deep', line: 1 }
  }
}
