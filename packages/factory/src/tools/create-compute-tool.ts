import {
  defineTool,
  type JsonObject,
  type JsonSchema,
  type Principal,
  type ToolDefinition,
} from '@toolcrib/registry'
import type { BuildOutcome, ToolBuildRequest, Toolsmaker } from '@toolcrib/toolsmaker'
import { z } from 'zod'
import { describeZodIssues } from '../custom-tools/custom-tool-request.ts'
import { toolStatusSchema } from '../custom-tools/custom-tool-status.ts'
import { outputSchemaOf } from '../custom-tools/declared-output.ts'
import { describeToolCall } from '@toolcrib/toolsmaker/kind'
import { factoryError } from '../error-catalogue.ts'
import { answerProblems, type FactoryFailure } from './factory-failure.ts'
import { logicDescription, logicShape } from './logic-shape.ts'
import { proposalProblemCode, proposalProblems } from './proposal-problems.ts'
import {
  inputsToSchema,
  parameterTypes,
  toolInputsSchema,
} from '../custom-tools/tool-parameters.ts'

/** What the tool answers when the proposal is on record. */
interface CreateAnswer {
  readonly success: boolean
  readonly toolName: string
  readonly type: 'compute'
  readonly stepCount: number
  readonly status: BuildOutcome['status']
  readonly version: number
  readonly contentHash: string
  readonly message: string
  readonly error?: string
  readonly errorCode?: string
  readonly problems?: string[]
  readonly warnings?: string[]
}

/** What a model is shown of one parameter; what it writes is checked by {@link toolInputsSchema}. */
const parameterShape: JsonObject = {
  type: 'object',
  required: ['type'],
  properties: {
    type: { type: 'string', enum: [...parameterTypes] },
    description: { type: 'string', description: 'What the value means, with its unit.' },
    default: { description: 'Used when the caller leaves it out; makes the input optional.' },
  },
}

/** One for all fields, so that its definition is shown to a model once. */
const json = z.json()

const inputSchema = z.strictObject({
  tool_name: z
    .string()
    .describe(
      'Name of the new tool in snake_case, saying what it does, such as shipping_cost. At most 64 letters, digits, "_" and "-".',
    ),
  tool_description: z
    .string()
    .describe('What the tool works out and when to use it; models choose tools by this.'),
  tool_parameters: z.record(z.string(), json).meta({
    description:
      'The inputs by name: { "weight_kg": { "type": "number", "description": "Weight in kilograms" } }. An input with a ' +
      'default is optional, any other is required. {} for none. A JSON Schema of type object is taken too.',
    additionalProperties: parameterShape,
  }),
  logic: z.record(z.string(), json).meta({ description: logicDescription, ...logicShape }),
  examples: z
    .array(
      z.strictObject({
        input: z.record(z.string(), json).describe('The inputs by name.'),
        expected: json.optional().describe('What must come out, exactly.'),
        note: z.string().max(1_000).optional(),
      }),
    )
    .max(50)
    .default([])
    .describe('Calls to try before the tool is used. A wrong result refuses the tool.'),
})

const outputSchema = z.object({
  success: z.boolean(),
  toolName: z.string(),
  type: z.literal('compute').optional(),
  stepCount: z.number().optional(),
  status: toolStatusSchema.optional(),
  version: z.number().optional(),
  contentHash: z.string().optional(),
  message: z.string().optional().describe('What happens next.'),
  error: z.string().optional().describe('What is wrong and what to do.'),
  errorCode: z.string().optional(),
  problems: z.array(z.string()).optional().describe('Everything that is wrong, one by one.'),
  warnings: z
    .array(z.string())
    .optional()
    .describe('What is probably a mistake; it refuses nothing.'),
})

type CreateInput = z.infer<typeof inputSchema>

function readInputSchema(input: CreateInput): JsonSchema {
  const parsed = toolInputsSchema.safeParse(input.tool_parameters)
  if (parsed.success) return inputsToSchema(parsed.data)
  throw factoryError(
    'CUSTOM_TOOL_INVALID',
    describeZodIssues(parsed.error.issues, ['tool_parameters']),
  )
}

function requestFrom(input: CreateInput): ToolBuildRequest {
  const declaredOutput = outputSchemaOf(input.logic)
  return {
    kind: 'compute',
    name: input.tool_name,
    description: input.tool_description,
    inputSchema: readInputSchema(input),
    ...(declaredOutput === undefined ? {} : { outputSchema: declaredOutput }),
    definition: input.logic,
    capabilities: [],
    allowedPaths: [],
    allowedDomains: [],
    secrets: [],
    callees: [],
    limits: {},
    examples: input.examples.map(({ input: given, expected, note }) => ({
      input: given,
      ...(expected === undefined ? {} : { expected: expected }),
      ...(note === undefined ? {} : { note }),
    })),
    risk: 'medium',
    provenance: { source: 'toolFactory_createCompute' },
  }
}

function warningsOf({ report }: BuildOutcome): string[] {
  return report.checks
    .filter(({ name }) => name.startsWith('program-warning-'))
    .map(({ message }) => message)
}

function answerFrom(outcome: BuildOutcome, input: CreateInput): CreateAnswer {
  const { spec, status, message } = outcome
  const { steps } = input.logic
  const problem = proposalProblemCode(status)
  const warnings = warningsOf(outcome)
  const answer = {
    success: problem === undefined,
    toolName: spec.name,
    type: 'compute' as const,
    stepCount: Array.isArray(steps) ? steps.length : 0,
    status,
    version: spec.version,
    contentHash: spec.contentHash,
    message,
    ...(warnings.length === 0 ? {} : { warnings }),
  }
  if (problem === undefined) return answer
  const problems = proposalProblems(outcome)
  const error = problems.length === 0 ? message : problems.join(' ')
  return { ...answer, error: error.slice(0, 4_000).toWellFormed(), errorCode: problem, problems }
}

/** `toolFactory_createCompute`: proposes a compute tool on behalf of whoever calls. */
export function createComputeFactoryTool(toolsmaker: Pick<Toolsmaker, 'forAgent'>): ToolDefinition {
  const create = async (
    input: CreateInput,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<CreateAnswer | FactoryFailure> =>
    answerProblems(input.tool_name, async () => {
      const outcome = await toolsmaker.forAgent(principal).buildTool(requestFrom(input), { signal })
      return answerFrom(outcome, input)
    })
  return defineTool({
    name: 'toolFactory_createCompute',
    description:
      'Makes a new tool that calculates, looks up or formats. The tool is described by a small JSON program; it can touch ' +
      'nothing: no files, no network, no other tools. A new tool that passes its checks is callable at once by you; a ' +
      'changed one waits until a person approves it. Proposing the same tool again changes nothing.',
    inputSchema,
    outputSchema,
    risk: 'medium',
    annotations: {
      title: 'Make a compute tool',
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    describeCall: (input) =>
      `Make the compute tool ${describeToolCall(input.tool_name, input.tool_parameters)}`,
    execute: (input, signal, { principal }) => create(input, principal, signal),
  })
}
