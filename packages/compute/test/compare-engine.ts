import { inspectProgram, resolveOptions } from '../src/check/inspect-program.ts'
import { compileEngine, type Engine } from '../src/engine/compile-engine.ts'
import { ComputeError } from '../src/index.ts'
import type { Program } from '../src/language/program.ts'
import { loadArguments } from '../src/walk/load-arguments.ts'
import { walkProgram } from '../src/walk/walk-program.ts'
import { generateCase, type GeneratedCase, Random } from './generate-program.ts'

/** What came of a generated program: it was refused before it ran, gave a value, or an error. */
export type Outcome = 'refused' | 'value' | 'error'

const gaveUp = Symbol('gave up')

interface Contender {
  readonly seed: number
  readonly generated: GeneratedCase
  readonly program: Program
  readonly inputSlots: readonly number[]
  readonly engine: Engine
}

function prepare(seed: number): Contender | undefined {
  const generated = generateCase(seed)
  const settings = resolveOptions({ limits: generated.limits })
  const inspection = attempt(() => inspectProgram(generated.logic, settings))
  if (inspection instanceof ComputeError || inspection.errors.length > 0) return undefined
  const { program, inputSlots } = inspection
  const engine = compileEngine(program, inputSlots)
  if (engine === undefined) throw new Error(`${seed}: the engine did not take the program`)
  return { seed, generated, program, inputSlots, engine }
}

/**
 * Runs a generated program by the engine, without falling back, and by the walker.
 *
 * @returns what both agree on
 * @throws {Error} where they differ: another value, a value where the walker has an error, or nothing where it has a value
 */
export function compareEngine(seed: number): Outcome {
  const contender = prepare(seed)
  if (contender === undefined) return 'refused'
  // More than once, because the engine learns; arguments anew, because getters and orders may differ.
  compareRun(contender, contender.generated)
  return compareRun(contender, contender.generated)
}

/**
 * The same for several programs that take turns, with the arguments of each other: all of them share one frame.
 *
 * @throws {Error} where engine and walker differ
 */
export function compareInTurns(firstSeed: number, { programs = 8, turns = 40 } = {}): void {
  const contenders: Contender[] = []
  for (let seed = firstSeed; contenders.length < programs; seed++) {
    const contender = prepare(seed)
    if (contender !== undefined) contenders.push(contender)
  }
  const random = new Random(firstSeed)
  const choose = (): Contender => contenders[random.below(programs)]!
  for (let turn = 0; turn < turns; turn++) compareRun(choose(), choose().generated)
}

function compareRun(
  { seed, generated: { logic, limits }, program, inputSlots, engine }: Contender,
  { makeArguments, isPolluted }: GeneratedCase,
): Outcome {
  if (isPolluted) pollute()
  try {
    const wanted = attempt(() =>
      walkProgram(program, loadArguments(program, inputSlots, makeArguments())),
    )
    const got = engine.run(makeArguments(), (_, frame) => {
      if (frame === undefined) return gaveUp
      // What the engine hands over is what the walker goes on with.
      const again = attempt(() => walkProgram(program, frame))
      if (!isSame(again, wanted))
        throw new Error(`${seed}: the arguments that were handed over give something else`)
      return gaveUp
    })
    const outcome = wanted instanceof ComputeError ? 'error' : 'value'
    if (!isSame(got === gaveUp ? 'error' : got, outcome === 'error' ? 'error' : wanted))
      throw new Error(
        `${seed}: the engine ${got === gaveUp ? 'gave up' : `gives ${show(got)}`}, the walker ${show(wanted)}, for ${JSON.stringify(logic)} with ${show(makeArguments())}, limits ${show(limits)}`,
      )
    return outcome
  } finally {
    if (isPolluted) restore()
  }
}

function attempt<Result>(work: () => Result): Result | ComputeError {
  try {
    return work()
  } catch (error) {
    if (error instanceof ComputeError) return error
    throw error
  }
}

function isSame(left: unknown, right: unknown): boolean {
  if (left instanceof ComputeError || right instanceof ComputeError) {
    return (
      left instanceof ComputeError &&
      right instanceof ComputeError &&
      left.message === right.message
    )
  }
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isSame(item, right[index]))
    )
  }
  if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null) {
    return Object.is(left, right)
  }
  const keys = Object.keys(left)
  return (
    keys.join() === Object.keys(right).join() &&
    keys.every((key) => isSame(Reflect.get(left, key), Reflect.get(right, key)))
  )
}

function show(value: unknown): string {
  if (value instanceof ComputeError) return `${value.code} ${value.message}`
  try {
    return JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'number' && (!Number.isFinite(part) || Object.is(part, -0))
        ? `<${Object.is(part, -0) ? '-0' : part}>`
        : part,
    )
  } catch {
    return String(value)
  }
}

const polluted = { qty: 5, price: 2, n: 3, AT: 1 }

function pollute(): void {
  for (const [name, value] of Object.entries(polluted)) {
    // oxlint-disable-next-line no-extend-native -- as a hostile host does
    Object.defineProperty(Object.prototype, name, {
      value,
      enumerable: name !== 'price',
      configurable: true,
      writable: true,
    })
  }
}

function restore(): void {
  for (const name of Object.keys(polluted)) Reflect.deleteProperty(Object.prototype, name)
}
