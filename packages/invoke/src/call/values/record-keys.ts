/** The keys of objects that have so many that asking for them keeps the event loop: they come all at once or not at all. */
export type RecordKeys = Map<object, readonly string[]>

/** Fewer keys are asked for again faster than they are found. */
const manyKeys = 4_096

/** The own keys of an object, from memory where it has many. */
export function keysOf(record: object, known: RecordKeys): readonly string[] {
  return (known.size > 0 ? known.get(record) : undefined) ?? Object.keys(record)
}

/** Remembers the keys of an object that nobody changes. */
export function rememberKeys(record: object, keys: readonly string[], known: RecordKeys): void {
  if (keys.length >= manyKeys) known.set(record, keys)
}
