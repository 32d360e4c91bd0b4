import {
  type InvokeOptions,
  type KnownOptions,
  type OptionsProblem,
  type Principal,
  findOptionsProblem,
  localPrincipal,
  toPrincipal,
} from '@toolcrib/registry'
import type { CallProblem } from './call-problem.ts'
import type { NestedOptions } from './tool-context.ts'

/** The options of a call, read once. */
export interface CallOptions {
  readonly options: InvokeOptions
  readonly principal: Principal
  readonly problem?: undefined
}

/** Why options cannot be used; the call that names them does not run. */
export interface OptionsRefusal {
  readonly problem: CallProblem
}

const invokeOptions: KnownOptions<InvokeOptions> = {
  timeoutMs: true,
  signal: true,
  principal: true,
  traceId: true,
  parentCallId: true,
  sessionId: true,
  callerPolicy: true,
  toolCallId: true,
  onProgress: true,
}

const nestedOptions: KnownOptions<NestedOptions> = {
  timeoutMs: true,
  signal: true,
  callerPolicy: true,
}

const none: CallOptions = Object.freeze({ options: Object.freeze({}), principal: localPrincipal })

/** Reads the options of a call: those that nobody knows and principals that are none are refused, not passed over. */
export function readCallOptions(given: InvokeOptions | undefined): CallOptions | OptionsRefusal {
  if (given === undefined) return none
  const problem = findOptionsProblem<InvokeOptions>('invoke', given, invokeOptions)
  if (problem !== undefined) return { problem: optionInvalid(problem) }
  const options = { ...given }
  const principal =
    options.principal === undefined ? localPrincipal : toPrincipal(options.principal)
  return principal === undefined ? { problem: principalInvalid() } : { options, principal }
}

/** Reads the options of a call that a tool makes; it acts for whoever called it and cannot name anybody else. */
export function readNestedOptions(
  given: NestedOptions,
  principal: Principal,
): CallOptions | OptionsRefusal {
  const problem = findOptionsProblem<NestedOptions>('context.invoke', given, nestedOptions)
  return problem === undefined
    ? { options: { ...given }, principal }
    : { problem: optionInvalid(problem) }
}

function optionInvalid({ message, ...data }: OptionsProblem): CallProblem {
  return { code: 'INPUT_INVALID', message, data }
}

function principalInvalid(): CallProblem {
  return {
    code: 'INPUT_INVALID',
    message:
      'The call did not run: option "principal" must have a kind, "agent", "person" or "service", and an id of 1 to 200 characters.',
    data: { function: 'invoke', option: 'principal' },
  }
}
