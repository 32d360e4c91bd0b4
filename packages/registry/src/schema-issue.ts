/** One way in which a value does not match its schema. */
export interface SchemaIssue {
  /** Where, such as `items[2].price`; empty for the value itself. */
  readonly path: string
  /** Which rule, in words. */
  readonly message: string
}

/** What validation gives: the value (with defaults filled in), or what is wrong with it. */
export type SchemaOutcome<Value = unknown> =
  | { readonly valid: true; readonly value: Value }
  | { readonly valid: false; readonly issues: readonly SchemaIssue[] }

/** How many issues are reported at most; a model needs the first few, not ten thousand. */
export const maxIssues = 20

/** How long the message of an issue is at most, and its path. */
export const maxMessageLength = 300

const identifier = /^[A-Za-z_$][\w$]*$/

/** Writes a path of keys as people write it: `items[2].price`, `headers["x-id"]`. */
export function formatPath(keys: readonly PropertyKey[]): string {
  let path = ''
  for (const key of keys) {
    if (typeof key === 'number' || /^\d+$/.test(String(key))) path += `[${String(key)}]`
    else if (identifier.test(String(key))) path += path === '' ? String(key) : `.${String(key)}`
    else path += `[${JSON.stringify(String(key))}]`
  }
  return path.length > maxMessageLength ? `${path.slice(0, maxMessageLength)}…` : path
}

/** Issues as one sentence a model can act on: `weight_kg: expected number; unit: is required`. */
export function formatIssues(issues: readonly SchemaIssue[]): string {
  return issues
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .join('; ')
}
