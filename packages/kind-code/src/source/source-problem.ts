/** The rules of the static check of a tool's source. */
export const sourceRules = {
  'import.forbidden':
    'Only "toolcrib:lib/<name>@<version>" can be imported, and "ai" and "zod" by a tool factory.',
  'import.dynamic': 'import() is not there.',
  'import.meta': 'import.meta is not there.',
  'import.unpinned': 'An imported module must be an approved version.',
  'call.eval': 'eval is not there.',
  'call.function-constructor': 'Code cannot be made from text.',
  'global.forbidden': 'This global is not there in the sandbox.',
  'proto.constructor': 'Constructors cannot be reached through "constructor".',
  'proto.access': 'Prototypes cannot be reached through this name.',
  'proto.mutation': 'Built-in objects and prototypes cannot be changed.',
  'capability.missing': 'The tool uses what it did not ask for.',
  'capability.unused': 'The tool asks for what it does not use.',
  'path.literal': 'The path lies outside of those that the tool asked for.',
  'http.literal': 'The address is none of those that the tool asked for.',
  'secret.literal': 'The secret is none of those that the tool asked for.',
  'callee.literal': 'The tool is none of those that the tool asked for.',
  'shape.default-export':
    'The default export must be the function, or for a tool factory the factory.',
  syntax: 'The source is no TypeScript module in strict mode.',
  'syntax.not-erasable':
    'Only syntax that can be erased is taken: no enum, namespace or parameter property.',
  'hidden-characters': 'Characters that hide or reorder text are not taken.',
  size: 'The source is too long or too deep.',
  types: 'The type check found something.',
} as const

/** The name of a rule of {@link sourceRules}. */
export type SourceRule = keyof typeof sourceRules

/** The largest source of a tool, and of each module that it imports, in characters. */
export const maxSourceLength = 65_536

/** A place in a source; both count from 1. */
export interface SourcePlace {
  readonly line: number
  readonly column: number
}

/** What is wrong with a source, and where. */
export interface SourceProblem extends SourcePlace {
  readonly rule: SourceRule
  /** An `error` refuses the source; a `warning` is for the author and the reviewer. */
  readonly severity: 'error' | 'warning'
  /** What was found and what to do instead. */
  readonly message: string
  /** The specifier of an imported module; absent for the tool itself. */
  readonly module?: string
}

/** What a source may use, as its tool declares it. */
export interface SourcePowers {
  readonly form: 'function' | 'factory'
  readonly capabilities: readonly string[]
  readonly allowedPaths: readonly string[]
  readonly allowedDomains: readonly string[]
  readonly secrets: readonly string[]
  /** Names. */
  readonly callees: readonly string[]
  /** Specifiers that are pinned. */
  readonly modules: readonly string[]
}
