import {
  checkCompute,
  type CompiledCompute,
  ComputeError,
  type ComputeIssue,
  type ComputeLimits,
  type ComputeLogic,
} from '@toolcrib/compute'
import { type JsonSchema, ToolError, validateWithSchema } from '@toolcrib/registry'
import type { ToolSpec, ValidationCheck } from '@toolcrib/toolsmaker'
import { issueSentence } from './compute-failure.ts'
import { isJsonObject, readInputs } from './compute-inputs.ts'
import { adviseOnInputs, inspectProgram, ownInputs } from './inspect-program.ts'

const mostIssues = 20
/** The default of `@toolcrib/compute`. */
const usualRunUnits = 1_000_000
const smallestProgram: ComputeLogic = {
  steps: [
    { op: 'math', expression: '0', output: 'nothing' },
    { op: 'return', value: 'nothing' },
  ],
}

/** What is wrong with an input's name as the name of a variable. */
function describeNameProblem(name: string): string | undefined {
  try {
    checkCompute(smallestProgram, { inputs: [name] })
    return undefined
  } catch (error) {
    if (!ComputeError.is(error)) throw error
    return `${error.issues[0].message}. ${error.hint}`
  }
}

function checkPowers(spec: ToolSpec): ValidationCheck {
  const { capabilities, allowedPaths, allowedDomains, secrets, callees } = spec
  const asked = Object.entries({ capabilities, allowedPaths, allowedDomains, secrets, callees })
    .filter(([, list]) => list.length > 0)
    .map(([field]) => field)
  return {
    name: 'no-powers',
    pass: asked.length === 0,
    message:
      asked.length === 0
        ? 'It asks for no power beyond computing.'
        : `A compute tool can only compute; it has ${asked.join(', ')}. Leave them out, or make a tool of another kind.`,
  }
}

function checkInputNames(schema: JsonSchema): ValidationCheck {
  const problems = readInputs(schema).flatMap(({ name }) => {
    const problem = describeNameProblem(name)
    return problem === undefined ? [] : [`Input ${JSON.stringify(name)}: ${problem}`]
  })
  return {
    name: 'input-names',
    pass: problems.length === 0,
    message:
      problems.length === 0
        ? 'Every input can be used as a variable.'
        : problems.slice(0, mostIssues).join(' '),
  }
}

/** Every default must be what its own schema asks for, or each call without that input fails. */
async function checkDefaults(schema: JsonSchema): Promise<ValidationCheck> {
  const { properties } = schema
  const defaulted = Object.entries(isJsonObject(properties) ? properties : {})
    .filter(([, property]) => isJsonObject(property) && Object.hasOwn(property, 'default'))
    .map(([name]) => name)
  const problems: string[] = []
  try {
    const outcome = await validateWithSchema({ ...schema, required: [] }, {})
    for (const { path, message } of outcome.valid ? [] : outcome.issues)
      if (
        defaulted.some(
          (name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`),
        )
      )
        problems.push(`The default of ${path} does not fit its schema: ${message}`)
  } catch (error) {
    if (!ToolError.is(error, 'SCHEMA_INVALID')) throw error
    problems.push(error.message)
  }
  return {
    name: 'defaults',
    pass: problems.length === 0,
    message:
      problems.length > 0
        ? problems.slice(0, mostIssues).join('; ')
        : `Inputs with a default that fits: ${defaulted.join(', ') || 'none'}.`,
  }
}

function listNames(inputs: readonly { readonly name: string }[]): string {
  return inputs.map(({ name }) => name).join(', ')
}

/** What a compiled program says about its inputs and its cost. */
function describeProgram(
  spec: ToolSpec,
  { program, units }: { readonly program: CompiledCompute; readonly units: number | undefined },
  maxRunUnits: number,
): readonly ValidationCheck[] {
  const inputs = readInputs(spec.inputSchema)
  const used = new Set(program.inputsUsed)
  const own = ownInputs(spec.definition)
  const missing = inputs.filter(
    ({ name, alwaysPresent }) =>
      used.has(name) && !alwaysPresent && own?.[name]?.default === undefined,
  )
  const unused = inputs.filter(({ name }) => !used.has(name))
  return [
    {
      name: 'program',
      pass: true,
      message: `${program.stepCount} ${program.stepCount === 1 ? 'step' : 'steps'}, and every way through them returns a value.`,
    },
    { name: 'cost', pass: true, message: describeCost(units, maxRunUnits) },
    {
      name: 'inputs-present',
      pass: missing.length === 0,
      message:
        missing.length === 0
          ? 'Every input that the program reads is required or has a default.'
          : `The program reads ${listNames(missing)}, which a caller may leave out. Make it required, or give it a default.`,
    },
    {
      name: 'inputs-used',
      pass: true,
      message:
        unused.length === 0
          ? 'Every input is read.'
          : `Never read: ${listNames(unused)}. Leave it out, unless callers expect it.`,
    },
  ]
}

function describeCost(units: number | undefined, maxRunUnits: number): string {
  const bound = `a run that needs more than ${maxRunUnits} is stopped`
  if (units === undefined)
    return `How many run units a call needs depends on sizes that the input schema leaves open; ${bound}.`
  return units > maxRunUnits
    ? `A call may need up to ${units} run units; ${bound}. Bound the inputs with maxItems or maxLength.`
    : `A call needs at most ${units} run units; ${bound}.`
}

function numbered(
  name: string,
  issues: readonly ComputeIssue[],
  describe: (issue: ComputeIssue) => Omit<ValidationCheck, 'name'>,
): readonly ValidationCheck[] {
  return issues
    .slice(0, mostIssues)
    .map((issue, index) => ({ name: `${name}-${index + 1}`, ...describe(issue) }))
}

function checkProgram(spec: ToolSpec, limits: Partial<ComputeLimits>): readonly ValidationCheck[] {
  // A name that cannot be a variable has its own check; the program can do without it.
  const names = readInputs(spec.inputSchema)
    .map(({ name }) => name)
    .filter((name) => describeNameProblem(name) === undefined)
  const { issues, program, units } = inspectProgram(spec, names, limits)
  const errors = issues.filter(({ severity }) => severity === 'error')
  const warnings = issues.filter(({ severity }) => severity === 'warning')
  if (program === undefined)
    return numbered('program-problem', errors, (issue) => ({
      pass: false,
      message: issueSentence(issue) + adviseOnInputs(issue, spec.definition),
    }))
  return [
    ...describeProgram(spec, { program, units }, limits.maxRunUnits ?? usualRunUnits),
    ...numbered('program-warning', warnings, (issue) => ({
      pass: true,
      message: issueSentence(issue),
    })),
  ]
}

/** Checks a definition without running it. */
export async function checkComputeSpec(
  spec: ToolSpec,
  limits: Partial<ComputeLimits>,
): Promise<readonly ValidationCheck[]> {
  return [
    checkPowers(spec),
    checkInputNames(spec.inputSchema),
    await checkDefaults(spec.inputSchema),
    ...checkProgram(spec, limits),
  ]
}
