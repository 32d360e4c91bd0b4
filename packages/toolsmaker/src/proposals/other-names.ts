import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { ToolContent } from '../tool-spec.ts'
import { ownerOf } from './owner-of.ts'

/**
 * Every name that another one could be mistaken for: those in the registry, and those of made tools that somebody owns.
 *
 * @param before leaves out made tools that came up at this place of the log or later
 */
export function otherNames(
  engine: LifecycleEngine,
  name: string,
  before: number = Infinity,
): readonly string[] {
  const names = new Set(engine.names.values())
  for (const [known, { sequences }] of engine.state.tools) {
    if (Number(sequences[0]) >= before) names.delete(known)
    else if (!names.has(known) && ownerOf(engine, known) !== undefined) names.add(known)
  }
  names.delete(name)
  return [...names]
}

/** The content of the version that is callable; a version that was refused at the start counts for nothing. */
export function contentInUse(engine: LifecycleEngine, name: string): ToolContent | undefined {
  const inUse = engine.callables.get(name)
  return inUse === undefined ? undefined : engine.state.get(name, inUse.version)?.content
}
