import type { Principal } from '@toolcrib/registry'
import type { z } from 'zod'
import type { Kernel } from '../host/kernel.ts'

/** With what an operation works. */
export interface OperationContext {
  readonly kernel: Kernel
  /** The person at the command line. */
  readonly principal: Principal
  readonly signal: AbortSignal
}

/** Something that the command line asks a host to do. */
export interface Operation<Input, Output> {
  readonly input: z.ZodType<Input>
  readonly run: (input: Input, context: OperationContext) => Promise<Output> | Output
}

/** Defines an operation; the input's type follows from its schema. */
export function defineOperation<Input, Output>(
  input: z.ZodType<Input>,
  run: Operation<Input, Output>['run'],
): Operation<Input, Output> {
  return { input, run }
}
