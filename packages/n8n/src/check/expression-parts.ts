/** One program in an expression, that is what stands between `{{` and `}}`. */
export interface ExpressionPart {
  readonly code: string
  /** n8n runs it also without, to the end of the text. */
  readonly isClosed: boolean
}

/** Whether n8n evaluates a parameter. */
export function isExpression(text: string): boolean {
  return text.startsWith('=')
}

/**
 * The programs of an expression, found as n8n finds them: the next `}}` ends one, also within a text or an object, unless
 * an odd number of backslashes stands before it.
 */
export function expressionParts(expression: string): readonly ExpressionPart[] {
  const parts: ExpressionPart[] = []
  let at = 1
  for (;;) {
    const open = findBrackets(expression, '{{', at)
    if (open === -1) return parts
    const close = findBrackets(expression, '}}', open + 2)
    const code = expression.slice(open + 2, close === -1 ? undefined : close)
    // One only, as n8n does it.
    parts.push({ code: code.replace('\\}}', '}}'), isClosed: close !== -1 })
    if (close === -1) return parts
    at = close + 2
  }
}

/**
 * What stands between `{{` and the next `}}`, whatever stands before them. Some nodes, such as HTML and Set, look for programs
 * so, in a text that is no expression as well.
 */
export function bracedTexts(text: string): readonly string[] {
  return text
    .split('{{')
    .slice(1)
    .flatMap((part) => {
      const end = part.indexOf('}}')
      return end === -1 ? [] : [part.slice(0, end)]
    })
}

function findBrackets(text: string, brackets: string, from: number): number {
  for (let at = text.indexOf(brackets, from); at !== -1;) {
    let backslashes = 0
    while (at - backslashes > from && text[at - backslashes - 1] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return at
    at = text.indexOf(brackets, at + 2)
  }
  return -1
}
