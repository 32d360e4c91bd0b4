import { eraseTypes } from '../source/erase-types.ts'
import { type InspectedSource, inspectSource } from '../source/inspect-source.ts'
import type { SourcePowers } from '../source/source-problem.ts'
import { SourceSyntaxError } from '../source/source-syntax-error.ts'
import { parseSource } from '../source/source-tree.ts'

/** What can be asked of a source, and what comes back. Everything of it is data that can cross to a thread. */
export interface SourceTasks {
  /** The JavaScript of it. */
  readonly strip: { readonly ask: { readonly source: string }; readonly answer: string }
  /** What the static check finds. */
  readonly inspect: {
    readonly ask: {
      readonly source: string
      readonly powers: SourcePowers
      readonly isModule: boolean
    }
    readonly answer: InspectedSource
  }
  /** The specifiers that it imports or re-exports from, in order. */
  readonly imports: {
    readonly ask: { readonly source: string }
    readonly answer: readonly string[]
  }
  /** How its top level looks. */
  readonly outline: { readonly ask: { readonly source: string }; readonly answer: SourceOutline }
}

/** The top level of a source. */
export interface SourceOutline {
  readonly statements: number
  /** Where the default export ends, and whether it is the first statement. */
  readonly defaultExport?: { readonly end: number; readonly isFirst: boolean }
}

/** A request to the thread that reads sources. */
export type SourceRequest = {
  readonly [Name in keyof SourceTasks]: { readonly name: Name } & SourceTasks[Name]['ask']
}[keyof SourceTasks]

/** What the thread answers. */
export type SourceReply =
  | { readonly value: SourceTasks[keyof SourceTasks]['answer'] }
  | {
      readonly failed: Pick<SourceSyntaxError, 'message' | 'rule' | 'line' | 'column'>
    }

/** Does a task; in the thread. */
export function answerSourceRequest(request: SourceRequest): SourceReply {
  try {
    return { value: answer(request) }
  } catch (error) {
    if (error instanceof SourceSyntaxError) {
      const { column, line, message, rule } = error
      return { failed: { message, rule, line, column } }
    }
    // The parsers are bounded, and so is what they give; should something overflow all the same, it is no reason to fail.
    if (!(error instanceof RangeError)) throw error
    return { failed: { message: 'The source nests too deep.', rule: 'size', line: 1, column: 1 } }
  }
}

function answer(request: SourceRequest): SourceTasks[keyof SourceTasks]['answer'] {
  switch (request.name) {
    case 'strip':
      return eraseTypes(request.source)
    case 'inspect':
      return inspectSource(request.source, request.powers, request.isModule)
    case 'imports':
      return findImports(request.source)
    default:
      return outline(request.source)
  }
}

function findImports(source: string): readonly string[] {
  const specifiers = parseSource(eraseTypes(source)).program.body.flatMap((statement) => {
    const from =
      statement.type === 'ImportDeclaration' ||
      statement.type === 'ExportAllDeclaration' ||
      statement.type === 'ExportNamedDeclaration'
        ? statement.source?.value
        : undefined
    return typeof from === 'string' ? [from] : []
  })
  return [...new Set(specifiers)]
}

function outline(source: string): SourceOutline {
  const { body } = parseSource(eraseTypes(source)).program
  const index = body.findIndex(({ type }) => type === 'ExportDefaultDeclaration')
  const end = body[index]?.end
  return {
    statements: body.length,
    ...(end === undefined ? {} : { defaultExport: { end, isFirst: index === 0 } }),
  }
}
