const maxValues = 100_000
const maxDepth = 200

/** Why an argument is too much to read at once, if it is: the host reads it in its one thread. */
export function describeArgumentProblem(operation: string, json: string): string | undefined {
  let values = 0
  let depth = 0
  if (json.length <= 2 * maxDepth) return undefined
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index)
    if (code === 0x22) index = findEnd(json, index)
    else if (code === 0x2c) values += 1
    else if (code === 0x5b || code === 0x7b) {
      values += 1
      depth += 1
      if (depth > maxDepth) return `The argument of ${operation} nests deeper than ${maxDepth}`
    } else if (code === 0x5d || code === 0x7d) depth -= 1
  }
  return values > maxValues
    ? `The argument of ${operation} holds more than ${maxValues} values`
    : undefined
}

/** Where the text that begins at a quotation mark ends. Most of a long text is passed over at once. */
function findEnd(json: string, start: number): number {
  let end = start
  for (;;) {
    end = json.indexOf('"', end + 1)
    if (end < 0) return json.length
    let escapes = 0
    while (json.charCodeAt(end - 1 - escapes) === 0x5c) escapes += 1
    if (escapes % 2 === 0) return end
  }
}
