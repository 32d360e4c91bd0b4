import {
  compileCompute,
  type CompiledCompute,
  type ComputeLogic,
  evaluateComputeDSL,
} from '../../src/index.ts'
import type { WantedOutcome } from '../attack-runner.ts'

/**
 * A hostile or careless program on the full language. Where data cannot say it, `run` does. `pollution` is put on
 * `Object.prototype` while the case runs.
 */
export interface LanguageAttack {
  readonly title: string
  readonly program?: unknown
  readonly args?: () => Record<string, unknown>
  readonly run?: () => unknown
  readonly pollution?: Readonly<Record<string, unknown>>
  readonly expected: WantedOutcome
  readonly why: string
}

/** A program as untyped data. */
export type ProgramData = Readonly<Record<string, unknown>>

/** A program of these steps. */
export const steps = (...all: readonly ProgramData[]): ProgramData => ({ steps: all })

/** A program that returns an expression. */
export const returns = (value: string, more: ProgramData = {}): ProgramData => ({
  ...more,
  steps: [{ op: 'return', value }],
})

/** The same step many times. */
export const repeat = (
  count: number,
  step: (index: number) => ProgramData,
): readonly ProgramData[] => Array.from({ length: count }, (_, index) => step(index))

/** The whole numbers from 0. */
export const numbers = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => index)

/** An array in arrays. */
export function nestedArray(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

/** Compiles a program that no type would let through. */
export const compile = (program: unknown): CompiledCompute =>
  compileCompute(program as ComputeLogic)

/** Runs a program that no type would let through. */
export const evaluate = (program: unknown, args: Readonly<Record<string, unknown>>): unknown =>
  evaluateComputeDSL(program as ComputeLogic, args)
