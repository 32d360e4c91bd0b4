import { type JsonObject, ToolError } from '@toolcrib/registry'
import type { Sandbox } from '@toolcrib/sandbox'
import type { ToolBuildRequest, ToolExample } from '@toolcrib/toolsmaker'
import {
  factoryEntry,
  type FindModule,
  inspectToolFile,
  type InspectedToolFile,
  pinModules,
  type PinnedModule,
  SourceSyntaxError,
} from '@toolcrib/kind-code'
import { codeRequest } from '../tools/code-request.ts'
import { factoryError } from '../error-catalogue.ts'
import { generateExamples } from './generated-examples.ts'

/** Where a file is looked at, and what is known of it. */
export interface ToolFileRequestOptions {
  /** The name of the tool; a file does not say it. */
  readonly name: string
  /** Told to a factory as `context.agentId`. */
  readonly agentId?: string
  readonly sandbox: Sandbox
  /** On whose behalf, such as `agent:ada`: owners take turns in the sandbox. @default all those without one take turns as one */
  readonly trialOf?: string
  /** Finds approved modules that the file may import. @default none can be imported */
  readonly findModule?: FindModule | undefined
  /** Where the file comes from; not hashed. */
  readonly provenance: JsonObject
  readonly signal?: AbortSignal | undefined
}

/**
 * Makes a TypeScript file into the proposal that it describes. It runs in the sandbox without any power, to learn what it says of
 * itself; nothing of it runs on the host.
 *
 * @throws {ToolError} TOOL_FILE_INVALID, SCHEMA_INVALID or SCHEMA_UNSUPPORTED when it cannot be read as a tool.
 * @throws {ToolError} EXAMPLES_NEEDED when it has no example and none can be made.
 * @throws {ToolError} REQUEST_INVALID when a module that it imports is no approved version.
 * @throws the signal's reason when it is aborted.
 */
export async function toolFileRequest(
  source: string,
  {
    agentId = '',
    findModule,
    name,
    provenance,
    sandbox,
    signal,
    trialOf = '',
  }: ToolFileRequestOptions,
): Promise<ToolBuildRequest> {
  const modules = await readModules(source, findModule)
  const inspected = await inspectToolFile(source, {
    sandbox,
    signal,
    trialOf,
    modules,
    agentId,
    toolName: name,
  })
  const { settings } = inspected
  const examples = await readExamples(inspected, { source, modules, sandbox, signal, trialOf })
  return codeRequest({
    name,
    description: inspected.description,
    inputSchema: inspected.inputSchema,
    outputSchema: inspected.outputSchema,
    form: inspected.form,
    source,
    modules,
    humanReadableFormat: inspected.humanReadableFormat,
    capabilities: settings.capabilities,
    allowedPaths: settings.allowedPaths,
    allowedDomains: settings.allowedDomains,
    secrets: settings.secrets,
    callees: settings.callees,
    limits: settings.limits,
    risk: settings.risk,
    examples,
    provenance,
  })
}

async function readModules(
  source: string,
  findModule: FindModule | undefined,
): Promise<readonly PinnedModule[]> {
  if (findModule === undefined) return []
  try {
    return await pinModules(source, findModule)
  } catch (error) {
    if (!(error instanceof SourceSyntaxError)) throw error
    const { column, line, message, rule } = error
    throw new ToolError<string>(
      'TOOL_FILE_INVALID',
      `The file cannot become a tool: ${rule} at line ${line}, column ${column}: ${message}`,
      { cause: error, data: { rule, line, column } },
    )
  }
}

const exampleHint =
  'Write one: export const toolcrib = { examples: [{ input: { … }, expected: … }] }, with fixtures for what it asks of the host'

interface FileParts extends Pick<ToolFileRequestOptions, 'sandbox' | 'signal'> {
  readonly source: string
  readonly modules: readonly PinnedModule[]
  readonly trialOf: string
}

async function readExamples(
  { form, inputSchema, settings }: InspectedToolFile,
  { modules, sandbox, signal, source, trialOf }: FileParts,
): Promise<readonly ToolExample[]> {
  if (settings.examples !== undefined && settings.examples.length > 0) return settings.examples
  if (form === 'function')
    throw factoryError('EXAMPLES_NEEDED', `The file has no example. ${exampleHint}.`)
  const module = await factoryEntry({ source, modules }, signal === undefined ? {} : { signal })
  const generated = await generateExamples(module, inputSchema, { sandbox, signal, trialOf })
  if (generated.examples !== undefined) return generated.examples
  throw factoryError(
    'EXAMPLES_NEEDED',
    `The file has no example, and none could be made from its schema: ${generated.problem}. ${exampleHint}.`,
  )
}
