/**
 * Writes a constant for use within an expression. Braces within texts are escaped, for n8n looks for `{{` and `}}` before
 * it looks for strings: no text can end the expression that it stands in, or start another.
 */
export function literal(value: string | readonly string[]): string {
  if (typeof value !== 'string') return `[${value.map(literal).join(', ')}]`
  return JSON.stringify(value).replaceAll(/[{}\u2028\u2029]/gu, escapeCharacter)
}

/** Makes a parameter of JavaScript. What comes from outside gets into it through {@link literal} only. */
export function expression(code: string): string {
  if (code.includes('{{') || code.includes('}}'))
    throw new Error(`An expression must not hold double braces; put a space between them: ${code}`)
  return `={{ ${code} }}`
}

/** A placeholder in a text, such as `{{name}}`; anything else between braces is text. */
export const placeholderForm: RegExp = /\{\{\s*([A-Za-z][A-Za-z0-9]*)\s*\}\}/gu

/**
 * Makes the code that fills in a text, for use within an expression.
 *
 * @param values what each placeholder stands for, as code
 */
export function fillText(text: string, values: Readonly<Record<string, string>>): string {
  const parts = text.split(placeholderForm).map((part, index) => {
    if (index % 2 === 0) return part === '' ? [] : [literal(part)]
    const code = Object.hasOwn(values, part) ? values[part] : undefined
    if (code === undefined) throw new Error(`The text has the unknown placeholder ${part}.`)
    return [`(${code})`]
  })
  return ['""', ...parts.flat()].join(' + ').replace(/^"" \+ (?=")/u, '')
}

/** Code for a text or number of somebody else, as a text of bounded length. @param code what may be anything */
export function shortText(code: string, fallback: string): string {
  return `((part) => (typeof part === "string" && part.trim() !== "") || typeof part === "number" ? String(part).slice(0, 200) : ${literal(fallback)})(${code})`
}

function escapeCharacter(character: string): string {
  return `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`
}
