import type { Site } from './compute-issue.ts'
import type { ComputeLimits } from './compute-limits.ts'
import type { ComputeLogic } from './compute-logic.ts'
import type { Expression } from './expression.ts'
import type { Template } from './parse-template.ts'

/**
 * A program after reading: shapes checked, texts parsed, names turned into slots. This is all an
 * engine sees, so that one engine can take the place of another.
 */
export interface Program {
  readonly steps: readonly ProgramStep[]
  /** The variable name of each slot. */
  readonly names: readonly string[]
  /** Steps in the whole program, those inside conditions included. */
  readonly stepCount: number
  readonly limits: ComputeLimits
  /** A private copy of the program as it was given. */
  readonly logic: ComputeLogic
}

/** A variable name in a step and the slot it stands for. */
export interface VariableReference {
  readonly site: Site
  readonly slot: number
}

/** One parsed step. Each site tells where its text stands, for errors. */
export type ProgramStep =
  | {
      readonly op: 'math'
      readonly site: Site
      readonly expression: Expression
      readonly output: number
    }
  | {
      readonly op: 'lookup'
      readonly table: VariableReference
      readonly key: Site
      readonly output: number
    }
  | {
      readonly op: 'format'
      readonly site: Site
      readonly template: Template
      readonly output: number
    }
  | {
      readonly op: 'condition'
      readonly site: Site
      readonly test: Expression
      readonly then: readonly ProgramStep[]
      readonly else: readonly ProgramStep[]
    }
  | { readonly op: 'return'; readonly value: VariableReference }
