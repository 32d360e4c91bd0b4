import { errorAt, type Site } from '../language/compute-issue.ts'
import type { Template, TemplatePart } from '../language/program.ts'
import type { ExpressionParser } from './parse-expression.ts'

/** Where the next placeholder opens. Of several braces in a row the last two open it: `{{{a}}}` is `{`, a, `}`. */
function findOpening(text: string, from: number): number {
  let at = text.indexOf('{{', from)
  while (at >= 0 && text.charAt(at + 2) === '{') at++
  return at
}

function readPlaceholder(
  site: Site,
  opening: number,
  parser: ExpressionParser,
): ReturnType<ExpressionParser['parsePlaceholder']> {
  const closing = site.text.indexOf('}}', opening)
  const inner = closing < 0 ? undefined : site.text.slice(opening + 2, closing).trim()
  if (inner === undefined || inner === '') {
    throw errorAt(site, opening, {
      code: 'bad_template',
      message: `a placeholder opens here and ${inner === '' ? 'is empty' : 'is never closed'}`,
      hint: 'Write {{name}}.',
    })
  }
  const placeholder = parser.parsePlaceholder(site, opening + 2)
  const { maxExpressionLength } = parser.limits
  if (placeholder.end - opening - 4 <= maxExpressionLength) return placeholder
  throw errorAt(site, opening, {
    code: 'limit',
    message: `a placeholder may have ${maxExpressionLength} characters`,
    hint: 'Work the value out in an earlier step.',
  })
}

/** Parses a template. Throws at the first problem. */
export function parseTemplate(site: Site, parser: ExpressionParser): Template {
  const { text } = site
  let opening = findOpening(text, 0)
  if (opening < 0) return { site, leading: text, parts: [] }
  const leading = text.slice(0, opening)
  const parts: TemplatePart[] = []
  while (opening >= 0) {
    const { expression, end } = readPlaceholder(site, opening, parser)
    opening = findOpening(text, end)
    parts.push({ expression, following: text.slice(end, opening < 0 ? undefined : opening) })
  }
  return { site, leading, parts }
}
