import { existsSync, readFileSync, readdirSync } from 'node:fs'

/** Above this many process ids, listing /proc is cheaper than trying each. */
const maxTries = 16

/** The children of a process, as Linux lists them; none where it does not, or where the process is gone. */
export function childrenOf(pid: number): number[] {
  const found: number[] = []
  for (const thread of listNumbers(`/proc/${pid}/task`)) {
    const text = readText(`/proc/${pid}/task/${thread}/children`)
    found.push(...text.split(' ').filter(Boolean).map(Number))
  }
  return found
}

/** Everything that descends from a process, itself left out. */
export function descendantsOf(pid: number): number[] {
  const found = new Set<number>()
  const waiting = [pid]
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop())
    for (const child of childrenOf(parent))
      if (!found.has(child)) {
        found.add(child)
        waiting.push(child)
      }
  return [...found]
}

/** Tells whether a process has ended; one that nobody has collected yet has. */
export function hasEnded(pid: number): boolean {
  const text = readText(`/proc/${pid}/stat`)
  // The name stands in parentheses and may hold anything, so the state is looked for after the last one.
  const state = text.slice(text.lastIndexOf(')') + 2, text.lastIndexOf(')') + 3)
  return text === '' || state === 'Z' || state === 'X'
}

/** The process id that was given out last, where Linux tells. */
export function lastProcessId(): number | undefined {
  const text = readText('/proc/sys/kernel/ns_last_pid')
  return text === '' ? undefined : Number(text)
}

/**
 * The processes that carry a text in the environment that they were started with.
 *
 * @param range only ids above `after`, up to `upTo`; all of them when it is left out.
 */
export function processesMarked(
  marker: string,
  range?: { readonly after: number; readonly upTo: number },
): number[] {
  return candidates(range).filter((pid) => readText(`/proc/${pid}/environ`).includes(marker))
}

function candidates(
  range: { readonly after: number; readonly upTo: number } | undefined,
): number[] {
  if (range === undefined) return listNumbers('/proc')
  const count = range.upTo - range.after
  if (count <= maxTries) return Array.from({ length: count }, (_, at) => range.after + 1 + at)
  return listNumbers('/proc').filter((pid) => pid > range.after && pid <= range.upTo)
}

function listNumbers(folder: string): number[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/u.test(name))
      .map(Number)
  } catch {
    return []
  }
}

function readText(path: string): string {
  // An exception costs more than everything else here, and most of these processes are gone.
  if (!existsSync(path)) return ''
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // The process ended, or belongs to somebody else.
    return ''
  }
}
