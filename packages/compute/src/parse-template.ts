import { errorAt, type Site } from './compute-issue.ts'
import { quoteText } from './quote-text.ts'
import { nameProblem, type VariableTable } from './variable-name.ts'

/** A placeholder and the text that follows it. */
interface TemplatePart {
  readonly slot: number
  readonly offset: number
  readonly following: string
}

/** A parsed template: some text, then placeholders each with the text after it. */
export interface Template {
  readonly leading: string
  readonly parts: readonly TemplatePart[]
}

/** Where the next placeholder opens. Of several braces in a row the last two open it: `{{{a}}}` is `{`, a, `}`. */
function findOpening(text: string, from: number): number {
  let at = text.indexOf('{{', from)
  while (at >= 0 && text.charAt(at + 2) === '{') at++
  return at
}

function readPlaceholder(
  site: Site,
  opening: number,
  variables: VariableTable,
): { readonly slot: number; readonly offset: number; readonly end: number } {
  const closing = site.text.indexOf('}}', opening + 2)
  if (closing < 0) {
    throw errorAt(site, opening, {
      code: 'bad_template',
      message: 'a placeholder opens here and is never closed',
      hint: 'Write {{name}}.',
    })
  }
  const inner = site.text.slice(opening + 2, closing)
  const name = inner.trim()
  const offset = opening + 2 + (inner.length - inner.trimStart().length)
  const problem = nameProblem(name)
  if (problem?.code === 'bad_name') {
    throw errorAt(site, opening, {
      code: 'bad_template',
      message: `a placeholder must hold one variable name, this holds ${quoteText(inner)}`,
      hint: 'Work the value out in an earlier step and write {{name}}.',
    })
  }
  if (problem !== undefined) throw errorAt(site, offset, problem)
  return { slot: variables.slotOf(name), offset, end: closing + 2 }
}

/** Parses a template. Throws at the first problem. */
export function parseTemplate(site: Site, variables: VariableTable): Template {
  const { text } = site
  let opening = findOpening(text, 0)
  if (opening < 0) return { leading: text, parts: [] }
  const leading = text.slice(0, opening)
  const parts: TemplatePart[] = []
  while (opening >= 0) {
    const { slot, offset, end } = readPlaceholder(site, opening, variables)
    opening = findOpening(text, end)
    parts.push({ slot, offset, following: text.slice(end, opening < 0 ? undefined : opening) })
  }
  return { leading, parts }
}
