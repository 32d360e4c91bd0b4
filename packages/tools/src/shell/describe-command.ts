import type { CommandInput } from './command-input.ts'

/** Longer commands are cut in their description. */
const maxLength = 300

/** One line for people, such as "Run `git status` in docs". */
export function describeCommand({
  command,
  args = [],
  cwd,
  env = {},
  stdin,
}: CommandInput): string {
  const whole = [command, ...args].map(quote).join(' ')
  const shown = whole.length > maxLength ? `${whole.slice(0, maxLength).toWellFormed()}…` : whole
  const names = Object.keys(env)
  return [
    `Run \`${shown}\``,
    ...(cwd === undefined ? [] : [`in ${quote(cwd)}`]),
    ...(names.length === 0 ? [] : [`with ${names.slice(0, 20).map(quote).join(', ')} set`]),
    ...(stdin === undefined ? [] : [`and ${stdin.length} characters on its input`]),
  ].join(' ')
}

/** A word as it is, or in quotes that show what would not be seen. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : escapeInvisible(JSON.stringify(word))
}

/** Characters that change how the rest of a line looks are written out. */
function escapeInvisible(text: string): string {
  return text.replaceAll(
    /[\u007f-\u009f`]|\p{Cf}|\p{Zl}|\p{Zp}/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  )
}
