/** The name that a wrong one was probably meant to be, or `undefined` when none is near. */
export function closest(wrong: string, names: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Math.max(2, Math.floor(wrong.length / 2))
  if (wrong.length > 80) return undefined
  for (const name of names) {
    const distance = editDistance(wrong.toLowerCase(), name.toLowerCase())
    if (distance < least) [best, least] = [name, distance]
  }
  return best
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [index, character] of Array.from(left).entries()) {
    const next = [index + 1]
    for (let column = 1; column <= right.length; column += 1)
      next.push(
        Math.min(
          (row[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (row[column - 1] ?? 0) + (right[column - 1] === character ? 0 : 1),
        ),
      )
    row = next
  }
  return row[right.length] ?? 0
}
