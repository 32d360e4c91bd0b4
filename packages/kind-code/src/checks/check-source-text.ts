import { type SourceProblem, type SourceRule, maxSourceLength } from '../source/source-problem.ts'

/** Longer lines hide code from a reviewer, beyond the edge of the window. */
const maxLineLength = 1_000
/** Blanks of whatever width, and the Braille pattern without dots. Nobody indents so far in the middle of a line. */
const maxGapLength = 100
const maxFindings = 20

// Everything that is not seen, or changes how the rest is seen. What follows may be seen after all: see `isPartOfEmoji`.
const unseen =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u180E\u{FFF0}-\u{FFFB}]/u
const unseenEverywhere = new RegExp(unseen.source, 'gu')

/** The flags that are written with tag characters: of England, Scotland and Wales. */
const flagsWithTags: readonly string[] = ['gbeng', 'gbsct', 'gbwls'].map((region) => {
  const tags = Array.from(region, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
  return `\u{1F3F4}${tags.join('')}\u{E007F}`
})

/** Checks the text of a source before anything reads it: its size, its lines, and characters that hide something. */
export function checkSourceText(source: string): readonly SourceProblem[] {
  if (source.length > maxSourceLength)
    return [
      problem('size', { line: 1, column: 1 })(
        `The source has ${source.length} characters; at most ${maxSourceLength} are taken. Split it into modules.`,
      ),
    ]
  const found: SourceProblem[] = []
  for (const [index, line] of source.split('\n').entries()) {
    const at = index + 1
    if (line.length > maxLineLength)
      found.push(
        problem('size', { line: at, column: maxLineLength + 1 })(
          `The line has ${line.length} characters; at most ${maxLineLength} are taken, so that a reviewer sees all of it. Break it.`,
        ),
      )
    const gap = /[^\s\u2800]([\s\u2800]{100,})[^\s\u2800]/.exec(line)
    if (gap !== null)
      found.push(
        problem(
          'hidden-characters',
          { line: at, column: gap.index + 2 },
          'warning',
        )(
          `More than ${maxGapLength - 1} spaces stand before the rest of this line, where it is easily overlooked.`,
        ),
      )
    if (unseen.test(line)) found.push(...findUnseen(line, at))
    if (found.length >= maxFindings) break
  }
  return found
}

function findUnseen(line: string, at: number): readonly SourceProblem[] {
  const flags = flagsWithTags.flatMap((flag) => placesOf(flag, line))
  const found: SourceProblem[] = []
  for (const { 0: character, index } of line.matchAll(unseenEverywhere)) {
    if (found.length >= maxFindings) break
    const isFine =
      character === '\t' ||
      (character === '\r' && index === line.length - 1) ||
      isPartOfEmoji(line, index, character) ||
      flags.some(({ start, end }) => index >= start && index < end)
    if (!isFine)
      found.push(
        problem('hidden-characters', { line: at, column: index + 1 })(
          `${describeCharacter(character)} stands here, which is not seen or changes how the text is seen. Remove it, or write it as ${escapeOf(character)} in a text.`,
        ),
      )
  }
  return found
}

function placesOf(
  part: string,
  text: string,
): readonly { readonly start: number; readonly end: number }[] {
  const places: { readonly start: number; readonly end: number }[] = []
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length))
    places.push({ start: at, end: at + part.length })
  return places
}

/** Whether a joiner stands between two emoji, or a variation selector after a character that has an emoji form. */
function isPartOfEmoji(line: string, index: number, character: string): boolean {
  const before = line.slice(Math.max(0, index - 8), index)
  if (character === '\uFE0F' || character === '\uFE0E') return /\p{Emoji}$/u.test(before)
  return (
    character === '\u200D' &&
    /\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?$/u.test(before) &&
    /^\p{Extended_Pictographic}/u.test(line.slice(index + 1))
  )
}

function describeCharacter(character: string): string {
  const code = `U+${codeOf(character).padStart(4, '0')}`
  if (/\p{Bidi_Control}/u.test(character)) return `${code}, which turns the reading direction,`
  if (/\p{Cs}/u.test(character)) return `${code}, half of a character,`
  if (/[\p{Zl}\p{Zp}]/u.test(character)) return `${code}, a line break that editors do not show,`
  if (/\p{Cc}/u.test(character)) return `The control character ${code}`
  return `The invisible character ${code}`
}

function escapeOf(character: string): string {
  return `\\u{${codeOf(character)}}`
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
}

function problem(
  rule: SourceRule,
  place: { readonly line: number; readonly column: number },
  severity: SourceProblem['severity'] = 'error',
): (message: string) => SourceProblem {
  return (message) => ({ rule, severity, message, ...place })
}
