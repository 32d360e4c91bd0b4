/** How much of a text is looked at. */
export interface WrittenObjectsOptions {
  /** Objects and lists inside each other. @default 64 */
  readonly maxDepth?: number
  /** Objects that are looked at; later ones are not. @default 16 */
  readonly maxObjects?: number
}

/** The JSON objects that stand in a text, each as it is written there. */
export interface WrittenObjects {
  readonly objects: readonly string[]
  /** Where the last one never ends. */
  readonly isOpen: boolean
  /** Whether one is nested deeper than is looked at; it is not among the objects. */
  readonly isTooDeep: boolean
}

/** An object begins with a key, in quotes or not, or is empty; what stands in braces in prose mostly does not. */
const opening = /\{(?=\s*(?:["'}]|\w+\s*:))/g

interface Scan {
  readonly end: number
  readonly depth: number
}

/** Walks to the end of the object at `start`; `end` is that of the text where it never ends. */
function scan(text: string, start: number): Scan & { readonly isClosed: boolean } {
  let depth = 0
  let deepest = 0
  let isInText = false
  for (let index = start; index < text.length; index += 1) {
    const character = text[index]
    if (isInText) {
      if (character === '\\') index += 1
      else if (character === '"') isInText = false
    } else if (character === '"') isInText = true
    else if (character === '{' || character === '[') {
      depth += 1
      deepest = Math.max(deepest, depth)
    } else if (character === '}' || character === ']') {
      depth -= 1
      if (depth === 0) return { end: index + 1, depth: deepest, isClosed: true }
    }
  }
  return { end: text.length, depth: deepest, isClosed: false }
}

/**
 * Finds the outermost JSON objects in a text, whatever stands around them: prose, fences, other objects. Takes time in
 * proportion to the text; parses nothing.
 */
export function findWrittenObjects(
  text: string,
  { maxDepth = 64, maxObjects = 16 }: WrittenObjectsOptions = {},
): WrittenObjects {
  const objects: string[] = []
  let isTooDeep = false
  opening.lastIndex = 0
  for (let seen = 0; seen < maxObjects; seen += 1) {
    const found = opening.exec(text)
    if (found === null) break
    const { depth, end, isClosed } = scan(text, found.index)
    if (!isClosed) return { objects, isOpen: true, isTooDeep: isTooDeep || depth > maxDepth }
    if (depth > maxDepth) isTooDeep = true
    else objects.push(text.slice(found.index, end))
    opening.lastIndex = end
  }
  return { objects, isOpen: false, isTooDeep }
}
