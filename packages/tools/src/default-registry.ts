import { ToolError, ToolRegistry } from '@toolcrib/registry'
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
