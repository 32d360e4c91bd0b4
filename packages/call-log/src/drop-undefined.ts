/** An object type whose fields that may be undefined are optional instead. */
export type WithoutUndefined<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key]
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>
}

/** Gives the object without the fields that are undefined. */
export function dropUndefined<T extends object>(object: T): WithoutUndefined<T> {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(object)) if (value !== undefined) kept[key] = value
  return kept as WithoutUndefined<T>
}
