import { problemInBody, type ToolModuleParts } from '@toolcrib/kind-code'

const place = /\b(?:line (\d+), column (\d+)|source (\d+):(\d+))/g

/**
 * Writes the places of a rendered module that a text names as those of the body that its author wrote.
 *
 * @param addedLines - lines that were put before what the author wrote
 */
export function inImplementationLines(
  text: string,
  parts: ToolModuleParts,
  addedLines: number,
): string {
  return text.replaceAll(place, (whole, ...found: (string | undefined)[]) => {
    const line = Number(found[0] ?? found[2])
    const column = Number(found[1] ?? found[3])
    const inBody = problemInBody(
      { rule: 'syntax', severity: 'error', message: '', line, column },
      parts,
    )
    if (inBody.line === line && !isBodyLine(line, parts)) return `${whole} of the whole module`
    return `line ${Math.max(1, inBody.line - addedLines)}, column ${column}`
  })
}

/** A line of the head is never one of the body: the body begins later than it. */
function isBodyLine(line: number, parts: ToolModuleParts): boolean {
  const moved = problemInBody(
    { rule: 'syntax', severity: 'error', message: '', line: line + 1, column: 1 },
    parts,
  )
  return moved.line !== line + 1
}
