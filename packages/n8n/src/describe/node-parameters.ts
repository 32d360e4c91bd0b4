import type { JsonObject, JsonValue } from '@toolcrib/registry'

/** A step into a value: a key or an index. */
export type PathStep = string | number

/** A value that holds no others, and where it is. */
export interface Leaf {
  readonly path: readonly PathStep[]
  readonly value: JsonValue
}

/** Deeper values are not looked into, only told of. */
const deepest = 64

/**
 * Everything in a value, in its order. Empty objects and lists hold nothing and are left out.
 *
 * @yields each value that holds no others
 */
export function* leavesOf(value: JsonValue, path: readonly PathStep[] = []): Generator<Leaf> {
  if (typeof value !== 'object' || value === null) yield { path, value }
  else if (path.length >= deepest) yield { path, value: `(more than ${deepest} levels deep)` }
  else if (Array.isArray(value))
    for (const [index, entry] of (value as readonly JsonValue[]).entries())
      yield* leavesOf(entry, [...path, index])
  else
    for (const [key, entry] of Object.entries(value as JsonObject))
      yield* leavesOf(entry, [...path, key])
}

/** The parameters of a node, and which of them a sentence already shows; the others are listed below it. */
export class NodeParameters {
  readonly #root: JsonObject
  readonly #told = new Set<string>()

  constructor(root: JsonObject) {
    this.#root = root
  }

  /** What is there, without counting as told. */
  at(...path: readonly PathStep[]): JsonValue | undefined {
    let value: JsonValue | undefined = this.#root
    for (const step of path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
        return undefined
      value = (value as Readonly<Record<PathStep, JsonValue>>)[step]
    }
    return value
  }

  /** A text that is there, without counting as told. */
  text(...path: readonly PathStep[]): string | undefined {
    const value = this.at(...path)
    return typeof value === 'string' ? value : undefined
  }

  /** Objects of a list that is there. */
  list(...path: readonly PathStep[]): readonly JsonValue[] {
    const value = this.at(...path)
    return Array.isArray(value) ? (value as readonly JsonValue[]) : []
  }

  /** Says that a sentence tells this value whole. */
  tell(...path: readonly PathStep[]): void {
    this.#told.add(JSON.stringify(path))
  }

  /** What no sentence told. */
  rest(): readonly Leaf[] {
    return [...leavesOf(this.#root)].filter(({ path }) => !this.#told.has(JSON.stringify(path)))
  }
}
