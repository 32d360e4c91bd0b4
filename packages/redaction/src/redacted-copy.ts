import { redactedMark } from './secret-finder.ts'

/** What is changed while JSON data is copied. */
export interface RedactionRules {
  readonly redactText: (text: string) => string
  /** What stands under such a key is hidden. */
  readonly isSecretKey: (key: string) => boolean
}

/** Copies JSON data with secrets taken out of texts, numbers and keys. */
export function copyRedacted(value: unknown, rules: RedactionRules): unknown {
  if (typeof value === 'string') return rules.redactText(value)
  if (typeof value === 'number') {
    // A number is only ever hidden whole.
    const text = String(value)
    return rules.redactText(text) === text ? value : redactedMark
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: unknown) => copyRedacted(item, rules))
  const copy: Record<string, unknown> = {}
  for (const [key, entry] of Object.entries(value)) {
    const hidden = rules.isSecretKey(key) && holdsSomething(entry)
    setOwn(
      copy,
      freeKey(copy, rules.redactText(key)),
      hidden ? redactedMark : copyRedacted(entry, rules),
    )
  }
  return copy
}

/** Sets a property also when it is called `__proto__`. */
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  else target[key] = value
}

function holdsSomething(value: unknown): boolean {
  return value !== null && value !== '' && typeof value !== 'boolean'
}

/** Two keys may become the same when secrets are taken out of them; none may swallow the other's value. */
function freeKey(target: object, key: string): string {
  let free = key
  for (let count = 2; Object.hasOwn(target, free); count += 1) free = `${key} (${count})`
  return free
}
