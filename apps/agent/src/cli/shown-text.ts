// Controls, line and paragraph separators, zero-width and bidirectional characters: whatever a terminal would act on or
// hide. Written as escapes, so that this file itself can be read.
// oxlint-disable-next-line no-control-regex -- finding them is what this is for
const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** Text of somebody else, made safe for a terminal: what would act on the screen or hide is shown as an escape. */
export function shownText(text: string): string {
  return text.replaceAll(
    unseen,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The same on one line, cut to a length. */
export function shownLine(text: string, length = 100): string {
  const line = shownText(text.replaceAll(/\s+/g, ' ').trim())
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`
}
