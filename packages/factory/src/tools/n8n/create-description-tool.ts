import { defineTool, type Principal, principalKey, type ToolDefinition } from '@toolcrib/registry'
import {
  createBuildRequestFromIntent,
  type ToolBuildRequest,
  type Toolsmaker,
} from '@toolcrib/toolsmaker'
import { z } from 'zod'
import type { GeneratedTool } from '../../generation/check-generated-tool.ts'
import { quoteShown, showText } from '@toolcrib/toolsmaker/kind'
import { answerProblems, type FactoryFailure } from '../factory-failure.ts'
import { GenerationPlaces } from '../../generation/generation-places.ts'
import type { N8nFactorySettings } from './n8n-factory-options.ts'
import { n8nRequest } from '@toolcrib/kind-n8n'
import { answerN8nOutcome, type N8nToolAnswer, n8nToolAnswerSchema } from './n8n-tool-answer.ts'
import { joinProblems } from '../proposal-problems.ts'
import type { GenerationProblem } from '../../generation/read-generated-text.ts'
import type { WorkflowModel } from '../../generation/workflow-model.ts'
import {
  describeGenerationProblem,
  workflowSystemPrompt,
} from '../../generation/workflow-prompt.ts'
import { type WrittenWorkflow, writeWorkflow } from '../../generation/write-workflow.ts'

/** What making tools from descriptions needs. */
export type DescriptionToolOptions = N8nFactorySettings & { readonly model: WorkflowModel }

/** As much of what a model wrote as an answer shows. */
const shownLength = 500
/** Beside the answers of the model: for checks and the record. */
const otherWorkMs = 30_000

const inputSchema = z.strictObject({
  description: z
    .string()
    .trim()
    .min(10)
    .max(4_000)
    .describe(
      'What the tool has to do: what it gets, which services it calls at which addresses, what it gives back, and when it runs by itself if it does.',
    ),
  tool_name: z
    .string()
    .describe(
      'Name of the new tool in snake_case, saying what it does, such as open_invoices. At most 64 letters, digits, "_" and "-".',
    ),
})

type DescriptionInput = z.infer<typeof inputSchema>

class DescriptionToolMaker {
  readonly #toolsmaker: Pick<Toolsmaker, 'forAgent'>
  readonly #options: DescriptionToolOptions
  readonly #places: GenerationPlaces

  constructor(toolsmaker: Pick<Toolsmaker, 'forAgent'>, options: DescriptionToolOptions) {
    this.#toolsmaker = toolsmaker
    this.#options = options
    this.#places = new GenerationPlaces(options.maxConcurrentGenerations)
  }

  async create(
    input: DescriptionInput,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<N8nToolAnswer | FactoryFailure> {
    const { description, tool_name: toolName } = input
    // A model is not paid for a name that nobody can have.
    createBuildRequestFromIntent({ name: toolName, purpose: 'n8n', kind: 'n8n', definition: {} })
    const { keeper, maxOutputTokens, model, modelTimeoutMs: timeoutMs } = this.#options
    const catalogue = this.#options.catalogue ?? (await keeper.nodeCatalogue({ signal }))
    const system = workflowSystemPrompt({ ...this.#options, catalogue })
    const written = await this.#places.hold(principal, () =>
      writeWorkflow({
        ...this.#options,
        catalogue,
        toolName,
        description,
        ask: { model, system, maxOutputTokens, timeoutMs, signal },
        checkByKind: (tool) => this.#checkByKind(this.#request(input, tool), principal, signal),
      }),
    )
    if (!written.ok) return refusal(toolName, written)
    const { modelCalls, tool } = written
    const outcome = await this.#toolsmaker
      .forAgent(principal)
      .buildTool(this.#request(input, tool), { signal })
    return answerN8nOutcome(outcome, { warnings: tool.warnings, modelCalls })
  }

  #request(
    { description, tool_name: name }: DescriptionInput,
    tool: GeneratedTool,
  ): ToolBuildRequest {
    const { hosts, inputSchema: schema, outputSchema, workflow } = tool
    return n8nRequest({
      name,
      description: tool.description ?? description.slice(0, 2_000).toWellFormed(),
      inputSchema: schema,
      outputSchema,
      definition: { workflow },
      hosts,
      risk: 'high',
      provenance: {
        source: 'toolFactory_createFromDescription',
        writtenBy: 'a model',
        description: description.toWellFormed(),
      },
    })
  }

  async #checkByKind(
    request: ToolBuildRequest,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<readonly GenerationProblem[]> {
    const spec = {
      ...request,
      callees: [],
      visibility: 'owner' as const,
      owner: principalKey(principal),
      version: 1,
      contentHash: '0'.repeat(64),
      createdAt: new Date(0).toISOString(),
      createdBy: principal.id,
    }
    const checks = await this.#options.keeper.check({ spec }, { signal })
    return checks
      .filter(({ pass }) => !pass)
      .map(({ message, name }) => ({ path: '', message: `${name}: ${message}` }))
  }
}

function refusal(
  toolName: string,
  { modelCalls, problems, text }: WrittenWorkflow & { readonly ok: false },
): N8nToolAnswer {
  const said = problems.map((problem) => describeGenerationProblem(problem))
  return {
    success: false,
    toolName,
    error:
      `The model wrote no workflow that can be used, also when it was told what is wrong. ${joinProblems(said)}`
        .slice(0, 4_000)
        .toWellFormed(),
    errorCode: 'WORKFLOW_NOT_GENERATED',
    problems: said,
    written: showText(text.slice(0, shownLength).toWellFormed()),
    modelCalls,
    message:
      'Nothing is on record and nothing was sent to n8n. Describe it more exactly or smaller, or use a template.',
  }
}

/** `toolFactory_createFromDescription`: has a model write an n8n tool, and proposes it on behalf of whoever calls. */
export function createDescriptionFactoryTool(
  toolsmaker: Pick<Toolsmaker, 'forAgent'>,
  options: DescriptionToolOptions,
): ToolDefinition {
  const maker = new DescriptionToolMaker(toolsmaker, options)
  return defineTool({
    name: 'toolFactory_createFromDescription',
    description:
      'Makes a new tool that runs a workflow on n8n, which a model writes from your description. Takes up to some minutes. A ' +
      'person reviews it; before that nothing is sent to n8n, and it cannot be called. Where a template fits, use ' +
      'toolFactory_createFromTemplate.',
    inputSchema,
    outputSchema: n8nToolAnswerSchema,
    timeoutMs: 2 * options.modelTimeoutMs + otherWorkMs,
    risk: 'high',
    annotations: {
      title: 'Make an n8n tool from a description',
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
    describeCall: ({ description, tool_name: name }) =>
      `Have a model write the n8n tool ${quoteShown(name)}: ${showText(description.slice(0, 100))}`,
    execute: (input, signal, { principal }) =>
      answerProblems(input.tool_name, () => maker.create(input, principal, signal)),
  })
}
