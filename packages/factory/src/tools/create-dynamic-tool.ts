import {
  defineTool,
  type JsonSchema,
  type Principal,
  principalKey,
  ToolError,
  type ToolDefinition,
} from '@toolcrib/registry'
import type { Sandbox } from '@toolcrib/sandbox'
import type { BuildOutcome, ToolBuildRequest, Toolsmaker } from '@toolcrib/toolsmaker'
import {
  evaluateSchemaSource,
  renderToolModule,
  SourceSyntaxError,
  type ToolModuleParts,
} from '@toolcrib/kind-code'
import { codeRequest } from './code-request.ts'
import {
  type CreateDynamicToolAnswer,
  type CreateDynamicToolInput,
  createDynamicToolInput,
  createDynamicToolOutput,
} from './create-dynamic-tool-schema.ts'
import { factoryError } from '../error-catalogue.ts'
import { exampleHint } from './example-hint.ts'
import { answerProblems, type FactoryFailure } from './factory-failure.ts'
import { inImplementationLines } from './implementation-lines.ts'
import { joinProblems, proposalProblemCode, proposalProblems } from './proposal-problems.ts'
import { showText } from '@toolcrib/toolsmaker/kind'
import { isWholeFunction } from './whole-function.ts'

/** What making code tools needs. */
export interface CreateDynamicToolOptions {
  /** Where zod source is evaluated; the same as that of the code kind. */
  readonly sandbox: Sandbox
  /** Tells where a person finds the review of a proposal. @default `reviews/<name>_v<N>.json` where the store is in a folder */
  readonly describeReview?: (tool: { readonly name: string; readonly version: number }) => string
}

/** Many authors write `context` for `ctx`. */
const contextLine = 'const context = ctx\n'

interface Implementation {
  readonly body: string
  /** Lines before those that the author wrote. */
  readonly addedLines: number
}

function readImplementation(implementation: string): Implementation {
  const isUsed = /\bcontext\b/.test(implementation)
  const isDeclared = /\b(?:const|let|var|function|class)\s[^=;(]*\bcontext\b/.test(implementation)
  return isUsed && !isDeclared
    ? { body: contextLine + implementation, addedLines: 1 }
    : { body: implementation, addedLines: 0 }
}

interface Waiting {
  readonly signal: AbortSignal
  readonly trialOf: string
}

class DynamicToolMaker {
  readonly #toolsmaker: Pick<Toolsmaker, 'forAgent'>
  readonly #options: CreateDynamicToolOptions

  constructor(toolsmaker: Pick<Toolsmaker, 'forAgent'>, options: CreateDynamicToolOptions) {
    this.#toolsmaker = toolsmaker
    this.#options = options
  }

  async create(
    input: CreateDynamicToolInput,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<CreateDynamicToolAnswer | FactoryFailure> {
    if (input.name.startsWith('mcp__'))
      throw new ToolError<string>(
        'TOOL_NAME_TAKEN',
        'Names that begin with "mcp__" are those of MCP servers. Choose another name.',
      )
    const { addedLines, body } = readImplementation(input.implementation)
    const written: ToolModuleParts[] = []
    const write = async (): Promise<ToolBuildRequest> => {
      const waiting = { signal, trialOf: principalKey(principal) }
      const parts = { ...(await this.#readParts(input, waiting)), body }
      written.push(parts)
      return codeRequest({
        ...input,
        inputSchema: parts.inputSchema,
        outputSchema: parts.outputSchema,
        form: 'function',
        source: await render(parts, addedLines, signal),
        provenance: { source: 'create_dynamic_tool' },
      })
    }
    // Schemas are code, which runs to be read: that comes in the turn of its owner, where there is room for a proposal.
    const outcome = await this.#toolsmaker
      .forAgent(principal)
      .buildTool({ name: input.name, write }, { signal })
    const [parts] = written
    return this.#answer(outcome, (text) =>
      parts === undefined ? text : inImplementationLines(text, parts, addedLines),
    )
  }

  async #readParts(
    input: CreateDynamicToolInput,
    waiting: Waiting,
  ): Promise<Omit<ToolModuleParts, 'body'>> {
    const inputSchema = await this.#readSchema('inputSchema', input.inputSchema, waiting)
    const outputSchema =
      input.outputSchema === undefined
        ? undefined
        : await this.#readSchema('outputSchema', input.outputSchema, waiting)
    if (input.examples.length === 0)
      throw factoryError('EXAMPLES_NEEDED', await exampleHint(inputSchema, input.capabilities))
    return {
      name: input.name,
      description: input.description,
      inputSchema,
      ...(outputSchema === undefined ? {} : { outputSchema }),
    }
  }

  async #readSchema(
    field: string,
    schema: string | JsonSchema,
    waiting: Waiting,
  ): Promise<JsonSchema> {
    const { sandbox } = this.#options
    const source = typeof schema === 'string' ? schema : JSON.stringify(schema)
    try {
      return await evaluateSchemaSource(source, { sandbox, ...waiting })
    } catch (error) {
      if (!ToolError.is(error)) throw error
      throw new ToolError(error.code, `${field}: ${error.message}`, { cause: error })
    }
  }

  #answer(outcome: BuildOutcome, inBody: (text: string) => string): CreateDynamicToolAnswer {
    const { message, report, spec, status } = outcome
    const { name, version } = spec
    const problem = proposalProblemCode(status)
    const warnings = report.checks
      .filter(({ message: said, pass }) => pass && said.startsWith('Look at '))
      .map((check) => inBody(check.message))
    if (givesNothing(outcome)) warnings.push(nothingGiven)
    const review = this.#options.describeReview?.({ name, version }) ?? reviewFile(outcome)
    const answer = {
      success: problem === undefined,
      toolName: name,
      type: 'code' as const,
      status,
      version,
      contentHash: spec.contentHash,
      message: inBody(message),
      ...(review === undefined ? {} : { review }),
      ...(warnings.length === 0 ? {} : { warnings }),
    }
    if (problem === undefined) return answer
    const problems = proposalProblems(outcome).map((text) => inBody(text))
    if (problems.length === 0) return { ...answer, error: answer.message, errorCode: problem }
    // Once in full is enough: a model pays for every word.
    const next = 'Mend what "problems" lists and propose it again.'
    return {
      ...answer,
      message: `${name} v${version} was rejected. ${next}`,
      error: joinProblems(problems),
      errorCode: problem,
      problems,
    }
  }
}

const nothingGiven =
  'Every example gave null, so nothing is returned. If the tool should give a value, write "return …" in implementation.'

function givesNothing({ report: { evidence } }: BuildOutcome): boolean {
  const isNothing = evidence.every(
    ({ actual, expected, pass }) => pass && (actual ?? null) === null && expected !== null,
  )
  return isNothing && evidence.length > 0
}

function reviewFile({ reviewPath, spec }: BuildOutcome): string | undefined {
  return reviewPath === undefined ? undefined : `reviews/${spec.name}_v${spec.version}.json`
}

async function render(
  parts: ToolModuleParts,
  addedLines: number,
  signal: AbortSignal,
): Promise<string> {
  if (isWholeFunction(parts.body))
    throw factoryError(
      'IMPLEMENTATION_INVALID',
      'implementation, line 1, column 1: This is a whole function, which nobody calls. Write only the statements between its braces: "input" and "ctx" are there, and "return …" gives the result.',
      { data: { line: 1, column: 1 } },
    )
  try {
    return await renderToolModule(parts, { signal })
  } catch (error) {
    if (!(error instanceof SourceSyntaxError)) throw error
    const { column, message } = error
    // What is missing at the end is missed in the line after it.
    const lines = parts.body.split('\n').length - addedLines
    const line = Math.min(lines, Math.max(1, error.line - addedLines))
    throw factoryError(
      'IMPLEMENTATION_INVALID',
      `implementation, line ${line}, column ${column}: ${message} Write only the statements between the braces of the function.`,
      { data: { line, column } },
    )
  }
}

/** `create_dynamic_tool`: proposes a tool written in TypeScript on behalf of whoever calls. */
export function createDynamicToolFactoryTool(
  toolsmaker: Pick<Toolsmaker, 'forAgent'>,
  options: CreateDynamicToolOptions,
): ToolDefinition {
  const maker = new DynamicToolMaker(toolsmaker, options)
  return defineTool({
    name: 'create_dynamic_tool',
    description:
      'Makes a new tool from TypeScript that runs only in a sandbox, for what toolFactory_createCompute cannot do: HTTP with secrets, ' +
      'files, other tools, real code. It is checked and its examples are run with everything outside simulated; then a person reviews ' +
      'it. It can be called when that person has approved it. Proposing the same tool again changes nothing.',
    inputSchema: createDynamicToolInput,
    outputSchema: createDynamicToolOutput,
    risk: 'medium',
    annotations: {
      title: 'Make a code tool',
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    describeCall: describeCreation,
    execute: (input, signal, { principal }) =>
      answerProblems(input.name, () => maker.create(input, principal, signal)),
  })
}

/** The name and what it would be able to touch: what a person has to know before it is even proposed. */
function describeCreation({
  allowedDomains = [],
  allowedPaths = [],
  callees = [],
  capabilities = [],
  name,
  secrets = [],
}: Partial<CreateDynamicToolInput> & Pick<CreateDynamicToolInput, 'name'>): string {
  const lists = {
    http: allowedDomains,
    fs_read: allowedPaths,
    fs_write: allowedPaths,
    secrets,
    tools: callees,
  }
  const powers = capabilities.map((capability) => {
    const named = lists[capability].slice(0, 5).map((entry) => showText(entry.slice(0, 60)))
    const more = lists[capability].length > 5 ? ', …' : ''
    return `${capability} (${named.join(', ')}${more})`
  })
  const what = powers.length === 0 ? 'touching nothing' : `with ${powers.join(', ')}`
  return `Propose the code tool ${showText(name.slice(0, 64))}, ${what}`
}
