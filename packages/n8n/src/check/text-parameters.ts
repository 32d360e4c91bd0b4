import type { JsonValue } from '@toolcrib/registry'
import type { CheckedNode } from './check-context.ts'
import { joinPath } from './quote.ts'

/** A text among the parameters of a node. */
export interface TextParameter {
  /** Such as `nodes[2].parameters.options.url`. */
  readonly path: string
  /** The key it stands under, or under which its list stands. */
  readonly key: string
  readonly text: string
}

/** All texts in the parameters of a node. */
export function textParameters({ node, place }: CheckedNode): readonly TextParameter[] {
  const found: TextParameter[] = []
  collect(node.parameters, { path: `${place}.parameters`, key: '' }, found)
  return found
}

/** Depth is bounded by the reader of the workflow. */
export function collect(
  value: JsonValue,
  { path, key }: { readonly path: string; readonly key: string },
  found: TextParameter[],
): void {
  if (typeof value === 'string') found.push({ path, key, text: value })
  else if (Array.isArray(value))
    for (const [index, entry] of (value as readonly JsonValue[]).entries())
      collect(entry, { path: joinPath(path, index), key }, found)
  else if (typeof value === 'object' && value !== null)
    for (const [name, entry] of Object.entries(value))
      collect(entry, { path: joinPath(path, name), key: name }, found)
}
