import { ToolError, ToolRegistry, type KnownOptions, assertOptions } from '@toolcrib/registry'
import {
  type BuiltInDatabase,
  type BuiltInToolsOptions,
  createBuiltInTools,
} from './built-in-tools.ts'

/** What {@link createDefaultRegistry} takes beside a database. */
export interface DefaultRegistryOptions extends BuiltInToolsOptions {
  /** Where the tools are registered. @default a new registry */
  readonly registry?: ToolRegistry
}

const defaultRegistryOptionNames: KnownOptions<DefaultRegistryOptions> = {
  workspace: true,
  policy: true,
  shell: {
    commands: true,
    readable: true,
    hidden: true,
    network: true,
    containment: true,
    environment: true,
    inputVariables: true,
    timeoutMs: true,
    maxOutputBytes: true,
    killAfterMs: true,
  },
  file: { timeoutMs: true, maxReadBytes: true, maxEntries: true },
  http: {
    cookieJar: true,
    timeoutMs: true,
    retries: true,
    maxOutputBytes: true,
    lookup: true,
    certificateAuthorities: true,
    userAgent: true,
  },
  sql: { timeoutMs: true, maxRows: true, maxBytes: true, readOnly: true, name: true, risk: true },
  vault: true,
  denied: { paths: true, services: { host: true, port: true, path: true } },
  registry: true,
}

/**
 * A registry with the built-in tools, for a program that keeps them as long as it runs. One that must let go of folders,
 * connections and the database before it ends uses {@link createBuiltInTools} and registers what that gives.
 *
 * @throws {ToolError} what `createBuiltInTools` throws, and TOOL_EXISTS when `registry` has a tool of one of the names.
 */
export function createDefaultRegistry(
  database: BuiltInDatabase | undefined,
  options: DefaultRegistryOptions,
): ToolRegistry {
  assertOptions<DefaultRegistryOptions>(
    'createDefaultRegistry',
    options,
    defaultRegistryOptionNames,
  )
  const { registry = new ToolRegistry(), ...rest } = options
  // Before anything is opened, so that nothing stays open.
  const taken = namesOf(rest).find((name) => registry.has(name))
  if (taken !== undefined)
    throw new ToolError(
      'TOOL_EXISTS',
      `A tool named "${taken}" is already registered. Pass another registry, or switch ours off.`,
      { data: { name: taken } },
    )
  for (const tool of createBuiltInTools(database, rest).tools) registry.register(tool)
  return registry
}

function namesOf({ file, http, shell, sql }: BuiltInToolsOptions): readonly string[] {
  return [
    ...(file === false ? [] : ['file']),
    ...(http === false ? [] : ['http']),
    ...(shell === undefined || shell === false ? [] : ['shell']),
    ...(sql === false ? [] : [(typeof sql === 'object' ? sql.name : undefined) ?? 'sql']),
  ]
}
