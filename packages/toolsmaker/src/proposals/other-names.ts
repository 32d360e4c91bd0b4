import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { ToolContent } from '../tool-spec.ts'
import { ownerOf } from './owner-of.ts'

/**
 * The names that another one could be mistaken for: of registered tools, and of made tools that somebody owns, those that are like it.
 *
 * @param before leaves out made tools that came up at this place of the log or later
 */
export async function otherNames(
  engine: LifecycleEngine,
  name: string,
  before: number = Infinity,
): Promise<readonly string[]> {
  return [...(await engine.names.similarTo(name))].filter((other) => {
    const recorded = engine.state.tools.get(other)
    if (recorded !== undefined && Number(recorded.sequences[0]) >= before) return false
    return engine.registry.has(other) || ownerOf(engine, other) !== undefined
  })
}

/** The content of the version that is callable; a version that was refused at the start counts for nothing. */
export function contentInUse(engine: LifecycleEngine, name: string): ToolContent | undefined {
  const inUse = engine.callables.get(name)
  return inUse === undefined ? undefined : engine.state.get(name, inUse.version)?.content
}
