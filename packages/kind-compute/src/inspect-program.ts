import {
  checkCompute,
  type CompiledCompute,
  compileCompute,
  ComputeError,
  type ComputeIssue,
  type ComputeLimits,
  type ComputeLogic,
  type InputDeclaration,
} from '@toolcrib/compute'
import type { JsonValue } from '@toolcrib/registry'
import type { ToolSpec } from '@toolcrib/toolsmaker'
import { isJsonObject } from './compute-inputs.ts'
import { inputsFromSchema } from './declared-inputs.ts'

/** A program as the checks see it. */
export interface InspectedProgram {
  /** Errors first, then warnings. */
  readonly issues: readonly ComputeIssue[]
  /** Undefined where there are errors. */
  readonly program: CompiledCompute | undefined
  /** Run units in the worst case, where the sizes are declared. */
  readonly units: number | undefined
}

/** Room for the inputs that the schema of the tool says and the program does not. */
const raised = { maxProgramBytes: 1e9, maxVariables: 1e6 }

/** The inputs that a program declares by itself. Their shape is checked by whoever compiles it. */
export function ownInputs(
  definition: JsonValue,
): Readonly<Record<string, Partial<InputDeclaration> | undefined>> | undefined {
  const inputs = isJsonObject(definition) ? definition['inputs'] : undefined
  return isJsonObject(inputs) ? (inputs as Record<string, Partial<InputDeclaration>>) : undefined
}

/** What to add to a problem that comes from inputs the program declares beside the parameters of its tool. */
export function adviseOnInputs({ code }: ComputeIssue, definition: JsonValue): string {
  if (code !== 'unknown_variable' || ownInputs(definition) === undefined) return ''
  return ' A program that declares "inputs" knows no others: leave "inputs" out, the parameters of the tool take their place.'
}

/** The program with the types that the schema of its tool gives to its inputs, unless it declares them itself. */
function withTypes({ definition, inputSchema }: ToolSpec, names: readonly string[]): JsonValue {
  if (!isJsonObject(definition) || 'inputs' in definition) return definition
  return { ...definition, inputs: inputsFromSchema(inputSchema, names) as unknown as JsonValue }
}

/**
 * Checks a program with everything that is known of its inputs. What is compiled is the program as it is: the input
 * schema is enforced before a run.
 */
export function inspectProgram(
  spec: ToolSpec,
  names: readonly string[],
  limits: Partial<ComputeLimits>,
): InspectedProgram {
  const typed = withTypes(spec, names)
  const issues = checkCompute(typed, { inputs: names, limits: { ...limits, ...raised } }).filter(
    // Inputs that are never read have a check of their own.
    ({ code }) => code !== 'unused_input' || typed === spec.definition,
  )
  if (issues.some(({ severity }) => severity === 'error'))
    return { issues, program: undefined, units: undefined }
  try {
    // The check found a program; what it may not be is larger than the limits.
    const logic = spec.definition as unknown as ComputeLogic
    const program = compileCompute(logic, { inputs: names, limits })
    const { cost } = compileCompute(typed as unknown as ComputeLogic, {
      inputs: names,
      limits: { ...limits, ...raised },
    })
    return { issues, program, units: cost.units }
  } catch (error) {
    if (!ComputeError.is(error)) throw error
    return { issues: error.issues, program: undefined, units: undefined }
  }
}
