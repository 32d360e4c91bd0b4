import { type JsonSchema, ToolError } from '@toolcrib/registry'
import type { Sandbox, SandboxFailure, SandboxModule } from '@toolcrib/sandbox'
import { z } from 'zod'
import { type ToolsmakerErrorCode } from '@toolcrib/toolsmaker'
import { toolsmakerError } from '@toolcrib/toolsmaker/kind'
import type { PinnedModule } from '../code-definition.ts'
import {
  describedSchemaSchema,
  evaluateSchemaSource,
  readDescribedSchema,
} from './evaluate-schema.ts'
import { runGuest } from './evaluate-schema-run.ts'
import {
  authorModuleSpecifier,
  factoryEntry,
  inspection,
  readImportSpecifiers,
} from './factory-form.ts'
import { maxSourceLength } from '../source/source-problem.ts'
import { SourceSyntaxError } from '../source/source-syntax-error.ts'
import { type ToolFileSettings, toolFileSettingsSchema } from './inspect-tool-file-settings.ts'

/** Where a file is looked at. */
export interface InspectToolFileOptions {
  readonly sandbox: Sandbox
  /** On whose behalf, such as `agent:ada`: owners take turns in the sandbox. @default all those without one take turns as one */
  readonly trialOf?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** How long its top level may compute, and then the factory, in milliseconds. @default 5_000 */
  readonly timeoutMs?: number
  /** What the file may import beside `ai` and `zod`. @default nothing */
  readonly modules?: readonly PinnedModule[]
  /** Told to the factory as `context.agentId`. */
  readonly agentId?: string
  /** Told to the factory as `context.toolName`. */
  readonly toolName?: string
}

/** What a file says of the tool in it. */
export interface InspectedToolFile {
  /** `function`: it says its input schema in `export const toolcrib`; `factory`: it is of the AI SDK's form. */
  readonly form: 'function' | 'factory'
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  /** One line about a call, with `${input.field}` for values. */
  readonly humanReadableFormat?: string
  /** The rest of `export const toolcrib`. */
  readonly settings: ToolFileSettings
}

const describedFileSchema = z.strictObject({
  form: z.enum(['function', 'factory']),
  description: z.unknown().optional(),
  inputSchema: describedSchemaSchema.optional(),
  outputSchema: describedSchemaSchema.optional(),
  humanReadableFormat: z.string().max(1_000).optional(),
  settings: z.unknown().optional(),
})

/**
 * Runs a file inside the sandbox, without any power, to learn what it says of its tool. Nothing of it runs on the host.
 *
 * @throws {ToolError} TOOL_FILE_INVALID when it cannot be loaded or says too little; the message says where and what to do.
 * @throws {ToolError} SCHEMA_INVALID or SCHEMA_UNSUPPORTED when a schema cannot be used.
 * @throws the signal's reason when it is aborted.
 */
export async function inspectToolFile(
  source: string,
  {
    agentId = '',
    modules = [],
    sandbox,
    signal,
    timeoutMs = 5_000,
    toolName = '',
    trialOf,
  }: InspectToolFileOptions,
): Promise<InspectedToolFile> {
  signal?.throwIfAborted()
  const outcome = await runGuest(await readModule(source, modules, signal), {
    sandbox,
    signal,
    timeoutMs,
    trialOf,
    call: { purpose: inspection, agentId, toolName },
    isKept: true,
  })
  if (!outcome.ok) throw guestError(outcome)
  const described = describedFileSchema.safeParse(outcome.value)
  if (!described.success) throw fileError('what it says of itself cannot be read')
  return readDescribedFile(described.data, { sandbox, signal, timeoutMs, trialOf })
}

async function readModule(
  source: string,
  modules: readonly PinnedModule[],
  signal: AbortSignal | undefined,
): Promise<SandboxModule> {
  if (source.length > maxSourceLength)
    throw fileError(`it has ${source.length} characters, at most ${maxSourceLength} are accepted`)
  try {
    const module = await factoryEntry({ source, modules }, { signal })
    const erased = module.imports?.[authorModuleSpecifier] ?? ''
    for (const { n: specifier, s: offset } of readImportSpecifiers(erased))
      if (specifier !== undefined && !importable(specifier, modules))
        throw fileError(
          `it imports ${JSON.stringify(specifier.slice(0, 100))}${placeOf(erased, offset)}. Only "ai" and "zod" can be imported, and types ("import type") from anywhere`,
        )
    return module
  } catch (error) {
    if (!(error instanceof SourceSyntaxError)) throw error
    const { column, line, message } = error
    throw fileError(
      `it is no TypeScript whose types can be erased, at line ${line}, column ${column}: ${message.replace(/\.$/, '')}`,
      { line, column },
    )
  }
}

function importable(specifier: string, modules: readonly PinnedModule[]): boolean {
  if (specifier === 'ai' || specifier === 'zod') return true
  return modules.some((module) => module.specifier === specifier)
}

function placeOf(source: string, offset: number): string {
  const before = source.slice(0, offset).split('\n')
  return ` at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

async function readDescribedFile(
  described: z.infer<typeof describedFileSchema>,
  options: Pick<InspectToolFileOptions, 'sandbox' | 'signal' | 'timeoutMs' | 'trialOf'>,
): Promise<InspectedToolFile> {
  const { form, humanReadableFormat, inputSchema, outputSchema } = described
  const settings = readSettings(described.settings)
  const format = settings.humanReadableFormat ?? humanReadableFormat
  const common = {
    form,
    settings,
    ...(format === undefined ? {} : { humanReadableFormat: format }),
  }
  if (form === 'function') {
    const output = await readSchema('outputSchema', settings.outputSchema, options)
    const input = await readSchema('inputSchema', settings.inputSchema, options)
    if (input === undefined) throw fileError('toolcrib.inputSchema is missing')
    return {
      ...common,
      description: readDescription('toolcrib.description', settings.description),
      inputSchema: input,
      ...(output === undefined ? {} : { outputSchema: output }),
    }
  }
  for (const field of ['description', 'outputSchema'] as const)
    if (settings[field] !== undefined)
      throw fileError(`toolcrib.${field} is said twice: tool({ … }) says it. Leave one out`)
  if (inputSchema === undefined) throw fileError('it says no input schema')
  return {
    ...common,
    description: readDescription('description', described.description),
    inputSchema: asObject(nameSchema('inputSchema', () => readDescribedSchema(inputSchema))),
    ...(outputSchema === undefined
      ? {}
      : { outputSchema: nameSchema('outputSchema', () => readDescribedSchema(outputSchema)) }),
  }
}

/** The input of a tool is always an object, and a choice of objects does not say so at its top. */
function asObject(schema: JsonSchema): JsonSchema {
  return schema['type'] === undefined ? { type: 'object', ...schema } : schema
}

function nameSchema(field: string, read: () => JsonSchema): JsonSchema {
  try {
    return read()
  } catch (error) {
    throw named(field, error)
  }
}

function named(field: string, error: unknown): unknown {
  if (!ToolError.is(error)) return error
  return new ToolError(error.code, `${field}: ${error.message}`, {
    cause: error,
    ...(error.data === undefined ? {} : { data: error.data }),
  })
}

async function readSchema(
  field: string,
  schema: unknown,
  options: Pick<InspectToolFileOptions, 'sandbox' | 'signal' | 'timeoutMs' | 'trialOf'>,
): Promise<JsonSchema | undefined> {
  if (schema === undefined) return undefined
  const source = typeof schema === 'string' ? schema : JSON.stringify(schema)
  const { sandbox, signal, timeoutMs = 5_000, trialOf } = options
  try {
    return await evaluateSchemaSource(source, { sandbox, signal, timeoutMs, trialOf })
  } catch (error) {
    throw named(field, error)
  }
}

function readDescription(field: string, description: unknown): string {
  if (typeof description === 'string' && description.trim() !== '') return description
  throw fileError(`${field} must say what the tool does and when to use it`)
}

function readSettings(settings: unknown): ToolFileSettings {
  const parsed = toolFileSettingsSchema.safeParse(settings ?? {})
  if (parsed.success) return parsed.data
  const said = parsed.error.issues
    .slice(0, 10)
    .map(
      ({ message, path }) =>
        `toolcrib${path.map((step) => `.${String(step)}`).join('')}: ${message}`,
    )
  throw fileError(said.join('; '))
}

function guestError({
  errorName,
  message,
  position,
  reason,
}: SandboxFailure): ToolError<ToolsmakerErrorCode> {
  const isOwn = position !== undefined && position.module === authorModuleSpecifier
  const where = isOwn ? ` at line ${position.line}, column ${position.column}` : ''
  const isThrown = reason === 'guest-error' || reason === 'load'
  const what = isThrown ? message : `the sandbox ended it (${reason}): ${message}`
  const name = errorName === undefined || errorName === 'Error' ? '' : `${errorName}: `
  const missing = /export '([^']+)' in module '(?:import:)?ai'/.exec(message)?.[1]
  const hint =
    missing === undefined ? '' : `. If "${missing}" is a type, write: import type { ${missing} }`
  return fileError(
    `running it failed${where}: ${isThrown ? name : ''}${what.slice(0, 1_000)}${hint}`,
    {
      sandboxReason: reason,
      ...(isOwn ? { line: position.line, column: position.column } : {}),
    },
  )
}

function fileError(
  problem: string,
  data?: { readonly [field: string]: string | number },
): ToolError<ToolsmakerErrorCode> {
  return toolsmakerError(
    'TOOL_FILE_INVALID',
    `The file cannot become a tool: ${problem}.`,
    data === undefined ? {} : { data },
  )
}
