const maxValues = 100_000
const maxDepth = 200

/** Why an argument is too much to read at once, if it is: the host reads it in its one thread. */
export function describeArgumentProblem(operation: string, json: string): string | undefined {
  let values = 0
  let depth = 0
  let isInText = false
  if (json.length <= 2 * maxDepth) return undefined
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index)
    if (isInText) {
      if (code === 0x5c) index += 1
      else if (code === 0x22) isInText = false
      continue
    }
    if (code === 0x22) isInText = true
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
