import { listSecretForms, minSecretLength } from './secret-forms.ts'

/** What stands in place of a secret. */
export const redactedMark = '[redacted]'

/** Finds registered secrets in texts and takes them out. */
export class SecretFinder {
  readonly #forms: readonly string[]
  /** All forms at once: far quicker to look for than one after the other. */
  readonly #pattern: RegExp | undefined

  constructor(secrets: Iterable<string>) {
    const forms = new Set<string>()
    for (const secret of secrets)
      if (typeof secret === 'string' && secret.length >= minSecretLength)
        for (const form of listSecretForms(secret)) forms.add(form)
    this.#forms = [...forms]
    this.#pattern = forms.size === 0 ? undefined : new RegExp(this.#forms.map(escape).join('|'))
  }

  /** Tells whether a text holds a secret in any of its forms. */
  isIn(text: string): boolean {
    return this.#pattern !== undefined && this.#pattern.test(text)
  }

  /** The text without secrets; the very same text when it holds none. */
  remove(text: string): string {
    if (!this.isIn(text)) return text
    const ranges: [start: number, end: number][] = []
    for (const form of this.#forms)
      for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1))
        ranges.push([at, at + form.length])
    ranges.sort(([left], [right]) => left - right)
    let result = ''
    let position = 0
    // Secrets that overlap are taken out as one, so that no rest of the second stays behind.
    for (const [start, end] of ranges) {
      if (end <= position) continue
      if (start >= position) result += text.slice(position, start) + redactedMark
      position = end
    }
    return result + text.slice(position)
  }
}

/** Writes a text as a pattern that matches it and nothing else. */
function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}
