import { basename } from 'node:path'
import type { N8nWorkflow } from '@toolcrib/n8n'
import {
  principalKey,
  type Logger,
  type Principal,
  silentLogger,
  ToolError,
  type ToolRegistry,
  assertOptions,
} from '@toolcrib/registry'
import type { BuildOutcome, Toolsmaker, UnrecordedCustomTool } from '@toolcrib/toolsmaker'
import { customToolRequest, readCustomTool } from './custom-tool-request.ts'
import { factoryError } from '../error-catalogue.ts'

/**
 * Owns every tool that was proposed because of a file. Who a file says has made it is recorded and gives no rights.
 */
export const customToolsPrincipal: Principal = Object.freeze({
  kind: 'service',
  id: 'custom-tools',
})

const customToolsOwner = principalKey(customToolsPrincipal)

/** What loading needs. */
export interface LoadCustomToolsOptions {
  readonly toolsmaker: Pick<
    Toolsmaker,
    'buildTool' | 'listVersions' | 'loadActiveTools' | 'readUnrecordedCustomTools'
  >
  readonly logger?: Logger
  /**
   * Reads the workflow that a file of type `n8n` only names, so that a copy of it can be proposed; see `importN8nWorkflow`.
   * It is asked once for each file that no record knows.
   *
   * @default such files are named and skipped
   */
  readonly readN8nWorkflow?: (
    id: string,
    options: { readonly signal?: AbortSignal },
  ) => Promise<N8nWorkflow>
  /** Ends the wait between two files. */
  readonly signal?: AbortSignal
}

/**
 * Puts the made tools into the registry: every version in use is verified and registered, and every file in
 * `custom-tools` that no record knows becomes a proposal that waits for a person. A file is never registered as it is.
 * Broken files are warned about by name and reason and left alone. Gives the number of made tools in the registry.
 *
 * Tools from files belong to {@link customToolsPrincipal} and are proposed for everybody (`shared`); a person decides,
 * whatever the rules of the policy say. A file that was seen before changes nothing.
 *
 * @throws {ToolError} whatever `loadActiveTools` of the toolsmaker throws, such as STORE_CLOSED; never because of a file.
 * @throws the signal's reason when it is aborted.
 */
export async function loadCustomTools(
  registry: ToolRegistry,
  options: LoadCustomToolsOptions,
): Promise<number> {
  assertOptions<LoadCustomToolsOptions>('loadCustomTools', options, {
    toolsmaker: true,
    logger: true,
    readN8nWorkflow: true,
    signal: true,
  })
  const { toolsmaker, logger = silentLogger, readN8nWorkflow, signal } = options
  const waiting = signal === undefined ? {} : { signal }
  const { refused } = await toolsmaker.loadActiveTools(waiting)
  for (const { name, version, code, reason } of refused)
    logger.warn({ name, version, code, reason }, 'A made tool was refused')
  const files = await readFiles(toolsmaker, logger)
  for (const [index, entry] of files.entries()) {
    signal?.throwIfAborted()
    // oxlint-disable-next-line no-await-in-loop -- each becomes an entry of an ordered record
    const hasRoom = await importFile(entry, { toolsmaker, logger, readN8nWorkflow, signal })
    if (hasRoom) continue
    // Each further one would be refused in the same way.
    const left = files.slice(index).map(({ file }) => file)
    logger.warn(
      { count: left.length, files: left.slice(0, 20) },
      'Custom tool files wait for room: the quota of their owner is used up',
    )
    break
  }
  return registry
    .snapshot()
    .tools()
    .filter(({ source }) => source?.type === 'made').length
}

async function readFiles(
  toolsmaker: LoadCustomToolsOptions['toolsmaker'],
  logger: Logger,
): Promise<readonly UnrecordedCustomTool[]> {
  try {
    return await toolsmaker.readUnrecordedCustomTools()
  } catch (error) {
    logger.warn({ reason: reasonOf(error) }, 'The folder of custom tools cannot be read')
    return []
  }
}

interface ImportContext {
  readonly toolsmaker: LoadCustomToolsOptions['toolsmaker']
  readonly logger: Logger
  readonly readN8nWorkflow: LoadCustomToolsOptions['readN8nWorkflow'] | undefined
  readonly signal: AbortSignal | undefined
}

/** Proposes what a file holds; tells whether there was room for it. */
async function importFile(entry: UnrecordedCustomTool, context: ImportContext): Promise<boolean> {
  const { logger, signal } = context
  const { file } = entry
  try {
    if (entry.problem !== undefined) throw factoryError('CUSTOM_TOOL_INVALID', entry.problem)
    else report(file, await proposeFile(entry, context), context)
  } catch (error) {
    signal?.throwIfAborted()
    if (ToolError.is(error, 'OWNER_QUOTA_EXCEEDED')) return false
    logger.warn({ file, reason: reasonOf(error) }, 'A custom tool file was skipped')
  }
  return true
}

async function proposeFile(
  { file, fileHash, content }: UnrecordedCustomTool & { readonly problem?: undefined },
  { readN8nWorkflow, signal, toolsmaker }: ImportContext,
): Promise<BuildOutcome> {
  const tool = readCustomTool(content)
  if (basename(file) !== `${tool.name}.json`)
    throw factoryError(
      'CUSTOM_TOOL_INVALID',
      `name: is "${tool.name}", so the file must be called ${tool.name}.json`,
    )
  assertUnowned(tool.name, toolsmaker)
  const { n8nWorkflowId, workflow } = tool
  const isNamedOnly = tool.type === 'n8n' && workflow === undefined && n8nWorkflowId !== undefined
  const whole =
    isNamedOnly && readN8nWorkflow !== undefined
      ? readCustomTool({
          ...content,
          workflow: await readN8nWorkflow(n8nWorkflowId, signal === undefined ? {} : { signal }),
        })
      : tool
  const request = customToolRequest(whole, {
    visibility: 'shared',
    origin: { source: 'file', file, fileHash },
  })
  return toolsmaker.buildTool(request, {
    principal: customToolsPrincipal,
    // A rule may let agents share what they propose; it was not written for whoever can write a file.
    waitBecause: 'it came from a file',
    ...(signal === undefined ? {} : { signal }),
  })
}

/** A file must not change what an agent made, not even by a proposal: it would carry the agent's name. */
function assertUnowned(name: string, toolsmaker: ImportContext['toolsmaker']): void {
  const given = new Set(['rejected', 'expired', 'revoked'])
  const other = toolsmaker
    .listVersions(name)
    .find(({ owner, status }) => owner !== customToolsOwner && !given.has(status))
  if (other === undefined) return
  throw factoryError(
    'CUSTOM_TOOL_INVALID',
    `name: the tool "${name}" belongs to "${other.owner}", so a file cannot change it. Choose another name.`,
  )
}

function report(file: string, outcome: BuildOutcome, { logger }: ImportContext): void {
  const { status, existing, spec, report: validation } = outcome
  const facts = { file, name: spec.name, version: spec.version, status }
  if (status === 'rejected') {
    const failed = [
      ...validation.checks.filter(({ pass }) => !pass).map(({ message }) => message),
      ...validation.evidence.filter(({ pass }) => !pass).map(({ error }) => error ?? 'It failed'),
    ]
    logger.warn(
      { ...facts, reason: failed.slice(0, 5).join(' ') },
      'A custom tool file was refused',
    )
  } else if (!existing) logger.info(facts, 'A custom tool file became a proposal')
}

function reasonOf(error: unknown): string {
  if (ToolError.is(error)) return `${error.code}: ${error.message}`
  return error instanceof Error ? error.message : String(error)
}
