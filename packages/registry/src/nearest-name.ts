/** The name that is most like a wrong one, if any is close enough to be meant. */
export function findNearestName(wrong: string, names: Iterable<string>): string | undefined {
  if (wrong.length > 64) return undefined
  const wanted = wrong.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1
  for (const name of names) {
    if (Math.abs(name.length - wanted.length) >= bestDistance) continue
    const distance = editDistance(wanted, name.toLowerCase(), bestDistance)
    if (distance >= bestDistance) continue
    best = name
    bestDistance = distance
  }
  return best
}

/** How many letters must be changed, added or dropped; anything from `limit` up is reported as `limit`. */
function editDistance(left: string, right: string, limit: number): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let leftIndex = 1; leftIndex <= left.length; leftIndex += 1) {
    const next = [leftIndex]
    for (let rightIndex = 1; rightIndex <= right.length; rightIndex += 1) {
      const same = left[leftIndex - 1] === right[rightIndex - 1]
      next.push(
        Math.min(
          cell(row, rightIndex) + 1,
          cell(next, rightIndex - 1) + 1,
          cell(row, rightIndex - 1) + (same ? 0 : 1),
        ),
      )
    }
    if (Math.min(...next) >= limit) return limit
    row = next
  }
  return Math.min(cell(row, right.length), limit)
}

function cell(row: readonly number[], index: number): number {
  return row[index] ?? 0
}
