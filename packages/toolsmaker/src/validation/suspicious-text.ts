import type { JsonValue } from '@toolcrib/registry'
import type { ToolContent } from '../tool-spec.ts'

// Characters that are not seen, or change the order in which others are seen. Line breaks and tabs are fine.
const hiddenRanges: readonly string[] = [
  String.raw`\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F`,
  String.raw`\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F`,
  String.raw`\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164`,
  String.raw`\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB`,
  String.raw`\u2800\u{13430}-\u{1343F}\u{16FE4}\u{1BCA0}-\u{1BCA3}\u{1D159}`,
  String.raw`\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}`,
]
const hiddenCharacters = new RegExp(`[${hiddenRanges.join('')}]`, 'gu')

// Of these, those that no honest text needs: controls, marks that turn what follows, and characters that only hide.
const refusedRanges: readonly string[] = [
  String.raw`\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F`,
  String.raw`\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u2028-\u202E\u2060-\u206F\u3164`,
  String.raw`\uFEFF\uFFA0\uFFF0-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}`,
]
const refusedCharacters = new RegExp(`[${refusedRanges.join('')}]`, 'gu')

const mixedScripts =
  /(?:\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin})/u

const instructions: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|other|system)\b/i,
    'text that tells a model to ignore something',
  ],
  [/\b(?:system|developer) (?:prompt|message|instruction)/i, 'text about the system prompt'],
  [
    /\b(?:do not|don't|never|without)\b.{0,30}\b(?:tell|inform|mention|ask|show|reveal|warn|notify|asking|telling)\b/i,
    'text that tells a model to hide something',
  ],
  [
    /\b(?:you|assistant|model|agent|llm) (?:must|shall|should|have to|are (?:now|required))\b/i,
    'text that gives a model orders',
  ],
  [
    /\b(?:always|must|first|before (?:any|every|each|using)|instead of)\b.{0,40}\b(?:call|calling|use|using|invoke|run)\b.{0,20}\b(?:tools?|functions?|this|it)\b/i,
    'text that steers which tools a model calls',
  ],
  [
    /<\/?(?:system|important|instructions?|assistant|user|tool|admin|secret)\b|\[\/?INST\]|<\|/i,
    'text in the form of a prompt',
  ],
  [
    /\b(?:send|post|upload|forward|exfiltrate|copy|include|pass)\b.{0,60}\b(?:password|secret|token|credential|api[ _-]?key|private key|conversation|chat history|\.env)\b/i,
    'text about passing on secrets or the conversation',
  ],
]

/** Tells what in a text could mislead a person or a model; empty when nothing was found. It finds the crude cases only. */
function findTextSuspicions(text: string): readonly string[] {
  const found: string[] = []
  const hidden = text.match(hiddenCharacters)
  if (hidden !== null) {
    const codes = [...new Set(hidden)].slice(0, 5).map(characterName)
    found.push(`invisible or reordering characters (${codes.join(', ')})`)
  }
  if (mixedScripts.test(text)) found.push('words that mix alphabets that look alike')
  const plain = stripHidden(text).normalize('NFKC').replaceAll(/\s+/g, ' ')
  for (const [pattern, reason] of instructions) if (pattern.test(plain)) found.push(reason)
  return found
}

/** The same for all text of a tool that a model gets to read: its description and its schemas. */
export function findContentSuspicions(
  content: Pick<ToolContent, 'description' | 'inputSchema' | 'outputSchema'>,
): readonly string[] {
  const found = new Set(findTextSuspicions(content.description))
  for (const schema of [content.inputSchema, content.outputSchema ?? {}])
    for (const text of textsIn(schema))
      for (const suspicion of findTextSuspicions(text)) found.add(`${suspicion} in a schema`)
  return [...found]
}

/** Characters that no honest text needs, in the fields that a model gets to read; empty when there are none. */
export function findRefusedCharacters(
  content: Pick<ToolContent, 'description' | 'inputSchema' | 'outputSchema'>,
): readonly string[] {
  const { description, inputSchema, outputSchema = {} } = content
  return Object.entries({ description, inputSchema, outputSchema }).flatMap(([field, value]) => {
    const found = new Set(
      [...textsIn(value)].flatMap((text) => text.match(refusedCharacters) ?? []),
    )
    const codes = [...found].slice(0, 5).map(characterName)
    return codes.length === 0
      ? []
      : [`${field}: holds characters that hide or reorder text (${codes.join(', ')}); remove them`]
  })
}

const longLine = 1_000
/** As many blanks in a row push what follows out of sight; at the beginning of a line code may be indented deeply. */
const pushedAside =
  /[^\s\u2800](?:[^\S\n]|\u2800){40,}[^\s\u2800]|^(?:[^\S\n]|\u2800){100,}[^\s\u2800]/mu

/** Tells what in a definition hides from the eye of whoever reads it; empty when nothing was found. */
export function findDefinitionSuspicions(definition: JsonValue): readonly string[] {
  const found = new Set<string>()
  for (const text of textsIn(definition)) {
    const hidden = text.match(refusedCharacters)
    if (hidden !== null) {
      const codes = [...new Set(hidden)].slice(0, 5).map(characterName)
      found.add(`characters that hide or reorder text in the definition (${codes.join(', ')})`)
    }
    if (pushedAside.test(text)) found.add('text in the definition pushed out of sight by blanks')
    if (text.length > longLine && text.split('\n').some((line) => line.length > longLine))
      found.add(`a line of more than ${longLine} characters in the definition`)
  }
  return [...found]
}

// Every text in a value, keys too, in order.
export function* textsIn(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const entry of value) yield* textsIn(entry)
  else if (typeof value === 'object' && value !== null)
    for (const [key, entry] of Object.entries(value)) {
      yield key
      yield* textsIn(entry)
    }
}

/** A text with every hidden character written out as its code, for people to read. */
export function makeVisible(text: string): string {
  return text.replaceAll(hiddenCharacters, (character) => `⟨${characterName(character)}⟩`)
}

/** A text without its hidden characters. */
export function stripHidden(text: string): string {
  return text.replaceAll(hiddenCharacters, '')
}

function characterName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
