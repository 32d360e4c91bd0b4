import type { Site } from './compute-issue.ts'
import type { ComputeLimits } from './compute-limits.ts'
import type {
  ComputeLogic,
  InputDeclaration,
  JsonValue,
  ValueDeclaration,
} from './compute-logic.ts'
import type { Expression } from './expression.ts'

/** A declared argument. */
export interface ProgramInput {
  readonly name: string
  readonly slot: number
  readonly declaration: InputDeclaration
}

/** A constant. */
export interface ProgramTable {
  readonly name: string
  readonly slot: number
  readonly value: JsonValue
}

/**
 * A program after reading: shapes checked, texts parsed, names turned into slots. This is all that the checks, the
 * walker and the engine see, so that one can take the place of another.
 */
export interface Program {
  readonly steps: readonly ProgramStep[]
  /** The variable name of each slot; items of macros, folds and sorts have slots of their own. */
  readonly names: readonly string[]
  /** Steps in the whole program, those inside others included. */
  readonly stepCount: number
  readonly limits: ComputeLimits
  /** A private copy of the program as it was given. */
  readonly logic: ComputeLogic
  /** The declared arguments, or undefined where the program declares none. */
  readonly inputs: readonly ProgramInput[] | undefined
  readonly tables: readonly ProgramTable[]
  readonly output: ValueDeclaration | undefined
  /** Whether numbers are exact decimals. */
  readonly decimal: boolean
  readonly rounding: 'half_up' | 'half_even'
}

/** An expression and the text it stands in. */
export interface SitedExpression {
  readonly site: Site
  readonly expression: Expression
}

/** A placeholder and the text that follows it. Filters are calls. */
export interface TemplatePart {
  readonly expression: Expression
  readonly following: string
}

/** A parsed template: some text, then placeholders each with the text after it. */
export interface Template {
  readonly site: Site
  readonly leading: string
  readonly parts: readonly TemplatePart[]
}

/** A variable name in a step and the slot it stands for. */
interface VariableReference {
  readonly site: Site
  readonly slot: number
}

/** `math` and `set` */
interface AssignProgramStep {
  readonly op: 'math' | 'set'
  readonly path: string
  readonly value: SitedExpression
  readonly output: number
}

/** `lookup`: a literal key, or an expression that gives one. */
export interface LookupProgramStep {
  readonly op: 'lookup'
  readonly path: string
  readonly table: VariableReference
  readonly key: Site | undefined
  readonly keyFrom: SitedExpression | undefined
  /** Undefined where the step has no default. */
  readonly default: JsonValue | undefined
  readonly output: number
}

/** `format` */
interface FormatProgramStep {
  readonly op: 'format'
  readonly path: string
  readonly template: Template
  readonly output: number
}

/** One way through a `condition` or a `switch`. */
export interface ProgramCase {
  readonly test: SitedExpression
  readonly then: readonly ProgramStep[]
}

/** `condition` with one case and `switch` with any number. `truthy`: the test is one bare variable of a `condition`. */
export interface BranchProgramStep {
  readonly op: 'condition' | 'switch'
  readonly path: string
  readonly cases: readonly ProgramCase[]
  readonly truthy: boolean
  readonly else: readonly ProgramStep[]
}

/** `fold` */
export interface FoldProgramStep {
  readonly op: 'fold'
  readonly path: string
  readonly list: SitedExpression
  readonly as: number
  readonly acc: number
  readonly init: SitedExpression
  readonly value: SitedExpression
  readonly output: number
}

/** `sort`; `as` is -1 where there is no `by`. */
export interface SortProgramStep {
  readonly op: 'sort'
  readonly path: string
  readonly list: SitedExpression
  readonly as: number
  readonly by: SitedExpression | undefined
  readonly desc: boolean
  readonly output: number
}

/** `check` */
interface CheckProgramStep {
  readonly op: 'check'
  readonly path: string
  readonly that: SitedExpression
  readonly message: Template
}

/** One field of a returned object. */
export interface ProgramField {
  readonly name: string
  readonly value: SitedExpression
}

/** `return`: one value, or fields. */
export interface ReturnProgramStep {
  readonly op: 'return'
  readonly path: string
  readonly value: SitedExpression | undefined
  readonly fields: readonly ProgramField[]
}

/** One parsed step. Each site tells where its text stands, for errors. */
export type ProgramStep =
  | AssignProgramStep
  | LookupProgramStep
  | FormatProgramStep
  | BranchProgramStep
  | FoldProgramStep
  | SortProgramStep
  | CheckProgramStep
  | ReturnProgramStep
