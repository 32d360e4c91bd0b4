import type { OperationOutput } from '../../operations/catalogue.ts'

type Check = OperationOutput<'tools.make'>['report']['checks'][number]

/** What is wrong with a source, where a compiler would say it. */
export interface ShownProblem {
  /** The file, or the specifier of a module that it imports. */
  readonly file: string
  /** Absent where the problem is in no one place. */
  readonly line?: number
  readonly column?: number
  readonly rule: string
  readonly message: string
}

/** As checks of a source begin: the module, where it is an imported one, then the place. */
const place = /^(?:(toolcrib:lib\/[^ ,]+), )?line (\d+), column (\d+): ([^]*)$/

/** The failed checks of a proposal as problems of its file. */
export function readProblems(checks: readonly Check[], file: string): readonly ShownProblem[] {
  return checks
    .filter(({ pass }) => !pass)
    .map(({ name: rule, message }) => {
      const [, module = file, line, column, rest] = place.exec(message) ?? []
      return rest === undefined
        ? { file, rule, message }
        : { file: module, line: Number(line), column: Number(column), rule, message: rest }
    })
}

/** A problem on one line, as editors find it: `file:line:column: rule: message`. */
export function formatProblem({ file, line, column, rule, message }: ShownProblem): string {
  const where = line === undefined || column === undefined ? '' : `:${line}:${column}`
  return `${file}${where}: ${rule}: ${message}`
}
