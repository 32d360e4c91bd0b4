import { findNearestName } from './nearest-name.ts'
import { ToolError } from './tool-error.ts'

/** Names of the options that a function knows. `true` where a value stands, names where an object of options does. */
export interface OptionNames {
  readonly [name: string]: true | OptionNames
}

type KeysOf<Options> = Options extends unknown ? keyof Options : never

/** {@link OptionNames} that cannot miss an option of a type, nor name one that it does not have. */
export type KnownOptions<Options> = {
  readonly [Name in KeysOf<Options>]-?: true | OptionNames
}

/**
 * Refuses options that a function does not know, so that a misspelt one cannot silently leave a default in force. Options
 * that are `undefined` count as not given; where a list of option objects stands, each is looked at.
 *
 * @param caller the name of the function, for the message.
 *
 * @example
 * assertOptions<CloseOptions>('close', options, { timeoutMs: true, signal: true })
 *
 * @throws {ToolError} OPTIONS_INVALID when there is one, or when the options are no object.
 */
export function assertOptions<Options>(
  caller: string,
  options: unknown,
  known: KnownOptions<Options>,
): void {
  const problem = findOptionsProblem(caller, options, known)
  if (problem === undefined) return
  const { message, ...data } = problem
  throw new ToolError('OPTIONS_INVALID', message, { data })
}

/** What is wrong with the options of a function. */
export interface OptionsProblem {
  readonly message: string
  readonly function: string
  /** The path of the option, such as `concurrency.maxRunning`; absent where the options are no object. */
  readonly option?: string
  /** The option that may have been meant. */
  readonly nearest?: string
}

/** The first problem that {@link assertOptions} would throw; for whoever answers instead of throwing. */
export function findOptionsProblem<Options>(
  caller: string,
  options: unknown,
  known: KnownOptions<Options>,
): OptionsProblem | undefined {
  if (options === undefined) return undefined
  if (!isOptionsObject(options))
    return {
      message: `${caller}() takes an object of options, got ${describe(options)}.`,
      function: caller,
    }
  const wrong = findUnknown(options, known, '')
  return wrong === undefined ? undefined : describeUnknown(caller, wrong)
}

interface UnknownOption {
  readonly path: string
  readonly name: string
  readonly names: readonly string[]
}

function findUnknown(options: object, known: OptionNames, path: string): UnknownOption | undefined {
  for (const name of Object.keys(options)) {
    const nested = Object.hasOwn(known, name) ? known[name] : undefined
    if (nested === true) continue
    const value: unknown = (options as Record<string, unknown>)[name]
    if (nested === undefined) {
      if (value !== undefined) return { path, name, names: Object.keys(known) }
      continue
    }
    const wrong = findUnknownBelow(value, nested, `${path}${name}`)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

function findUnknownBelow(
  value: unknown,
  known: OptionNames,
  path: string,
): UnknownOption | undefined {
  if (!Array.isArray(value))
    return isOptionsObject(value) ? findUnknown(value, known, `${path}.`) : undefined
  for (const [index, entry] of value.entries()) {
    const wrong = findUnknownBelow(entry, known, `${path}[${index}]`)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

function describeUnknown(caller: string, { path, name, names }: UnknownOption): OptionsProblem {
  const option = `${path}${name}`.slice(0, 200)
  const nearestName = findNearestName(name, names)
  const nearest = nearestName === undefined ? undefined : `${path}${nearestName}`
  const all = names.map((known) => `${path}${known}`).join(', ')
  const advice =
    nearest === undefined ? `It knows ${all || 'no options'}.` : `Did you mean "${nearest}"?`
  return {
    message: `${caller}() has no option "${option}". ${advice}`,
    function: caller,
    option,
    ...(nearest !== undefined && { nearest }),
  }
}

function isOptionsObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
