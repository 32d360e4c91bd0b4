import {
  listTemplates,
  type RenderedTemplate,
  renderTemplate,
  type TemplateSummary,
} from '@toolcrib/n8n/templates'
import { defineTool, type Principal, ToolError, type ToolDefinition } from '@toolcrib/registry'
import type { ToolBuildRequest, Toolsmaker } from '@toolcrib/toolsmaker'
import { z } from 'zod'
import { credentialProblems } from './credential-problems.ts'
import { describeToolCall } from '@toolcrib/toolsmaker/kind'
import {
  describeAllCustomizations,
  describeCustomizations,
  describeTemplates,
} from './describe-templates.ts'
import { factoryError } from '../../error-catalogue.ts'
import { answerProblems, type FactoryFailure } from '../factory-failure.ts'
import type { N8nFactoryOptions } from './n8n-factory-options.ts'
import { n8nRequest } from '@toolcrib/kind-n8n'
import { answerN8nOutcome, type N8nToolAnswer, n8nToolAnswerSchema } from './n8n-tool-answer.ts'
import { nearestToolName } from '../nearest-tool-name.ts'
import { joinProblems } from '../proposal-problems.ts'
import { problemsOf } from './template-problems.ts'
import { describeGenerationProblem } from '../../generation/workflow-prompt.ts'

interface CreateFromTemplateInput {
  readonly template: string
  readonly tool_name: string
  readonly tool_description: string
  readonly customizations: Readonly<Record<string, unknown>>
}

function inputSchemaFor(templates: readonly TemplateSummary[]): z.ZodType<CreateFromTemplateInput> {
  const slugs = templates.map(({ slug }) => slug)
  return z.strictObject({
    // A wrong one gets an answer with the nearest, so it is not refused before.
    template: z
      .string()
      .min(1)
      .max(100)
      .meta({ enum: slugs, description: `Which template:\n${describeTemplates(templates)}` }),
    tool_name: z
      .string()
      .describe(
        'Name of the new tool in snake_case, saying what it does, such as notify_new_lead. At most 64 letters, digits, "_" and "-".',
      ),
    tool_description: z
      .string()
      .describe('What the tool does and when to use it; models choose tools by this.'),
    customizations: z
      .record(z.string(), z.unknown())
      .default({})
      .meta({
        description:
          `Fills in the template. "!" must be given, "=" has that default, "?" may be left out. Credentials are { "id", "name" } of ` +
          `one that n8n keeps, never a secret.\n${describeAllCustomizations(templates)}`,
        // Values are checked by the template's own schema; saying here what JSON is would only cost tokens.
        additionalProperties: {},
      }),
  })
}

class TemplateToolMaker {
  readonly #toolsmaker: Pick<Toolsmaker, 'forAgent'>
  readonly #options: Pick<N8nFactoryOptions, 'credentials'>
  readonly #templates: readonly TemplateSummary[]

  constructor(
    toolsmaker: Pick<Toolsmaker, 'forAgent'>,
    options: Pick<N8nFactoryOptions, 'credentials'>,
    templates: readonly TemplateSummary[],
  ) {
    this.#toolsmaker = toolsmaker
    this.#options = options
    this.#templates = templates
  }

  async create(
    input: CreateFromTemplateInput,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<N8nToolAnswer | FactoryFailure> {
    const slug = input.template
    const known = this.#templates.find((template) => template.slug === slug)
    if (known === undefined) throw this.#unknown(slug)
    let rendered: RenderedTemplate
    try {
      rendered = renderTemplate(slug, input.customizations)
    } catch (error) {
      if (!ToolError.is(error, 'N8N_CUSTOMIZATION_INVALID')) throw error
      const problems = problemsOf(error)
      return {
        success: false,
        toolName: input.tool_name,
        template: slug,
        error: `${error.message} The customizations of ${slug}: ${describeCustomizations(known)}.`,
        errorCode: error.code,
        problems,
      }
    }
    const foreign = credentialProblems(rendered.workflow, this.#options.credentials)
    if (foreign.length > 0)
      throw factoryError(
        'CREDENTIAL_UNKNOWN',
        joinProblems(foreign.map((problem) => describeGenerationProblem(problem))),
      )
    const outcome = await this.#toolsmaker
      .forAgent(principal)
      .buildTool(this.#request(input, rendered), { signal })
    return answerN8nOutcome(outcome, { template: slug, warnings: placeholderWarnings(rendered) })
  }

  #unknown(slug: string): ToolError<string> {
    const slugs = this.#templates.map((template) => template.slug)
    const nearest = nearestToolName(slug, slugs)
    const meant = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
    return new ToolError<string>(
      'N8N_TEMPLATE_UNKNOWN',
      `There is no template ${JSON.stringify(slug)}.${meant} Templates: ${slugs.join(', ')}.`,
    )
  }

  #request(input: CreateFromTemplateInput, rendered: RenderedTemplate): ToolBuildRequest {
    const { customizations, hosts, inputSchema, outputSchema, slug, workflow } = rendered
    return n8nRequest({
      name: input.tool_name,
      description: input.tool_description,
      inputSchema,
      outputSchema,
      definition: { workflow, template: { slug, customizations } },
      hosts,
      risk: 'medium',
      provenance: { source: 'toolFactory_createFromTemplate', templateSource: slug },
    })
  }
}

/** Names under `.example` are nobody's (RFC 2606), so a tool that goes there cannot work yet. */
function placeholderWarnings({ hosts }: RenderedTemplate): readonly string[] {
  const open = hosts.filter((origin) => /\.example(?::\d+)?$/.test(origin))
  return open.length === 0
    ? []
    : [
        `It sends to ${open.join(' and ')}, which stands there by default and is nobody's. Customize the base URL.`,
      ]
}

/** `toolFactory_createFromTemplate`: proposes an n8n tool made of a template, on behalf of whoever calls. */
export function createTemplateFactoryTool(
  toolsmaker: Pick<Toolsmaker, 'forAgent'>,
  options: Pick<N8nFactoryOptions, 'credentials'>,
): ToolDefinition {
  const templates = listTemplates()
  const maker = new TemplateToolMaker(toolsmaker, options, templates)
  return defineTool({
    name: 'toolFactory_createFromTemplate',
    description:
      'Makes a new tool that runs a workflow on n8n, from a template that is known to work. Only filling in is needed. A person ' +
      'reviews it; before that nothing is sent to n8n, and it cannot be called. Scheduled ones also run when called.',
    inputSchema: inputSchemaFor(templates),
    outputSchema: n8nToolAnswerSchema,
    risk: 'medium',
    annotations: {
      title: 'Make an n8n tool from a template',
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    describeCall: ({ customizations, template, tool_name: name }) =>
      `Make the n8n tool ${describeToolCall(name, customizations)} from the template ${JSON.stringify(template)}`,
    execute: (input, signal, { principal }) =>
      answerProblems(input.tool_name, () => maker.create(input, principal, signal)),
  })
}
