import type { QuickJsInstance } from './quickjs-instance.ts'

const pageBytes = 4096

interface Run {
  readonly at: number
  readonly bytes: Uint8Array
}

/**
 * The whole state of an instance at one moment: its memory and its stack pointer, which is its one global that changes. An
 * image knows only the pages in which it differs from another one, or from zeros. It never leaves the process.
 */
export class MemoryImage {
  /** Of the memory, in bytes. */
  readonly length: number
  readonly #stackPointer: number
  readonly #runs: readonly Run[]
  readonly #base: MemoryImage | undefined
  #expanded: Uint8Array | undefined
  /** What is zero: pairs of start and end, the last one open. */
  readonly #zeros: readonly (readonly [number, number])[]

  private constructor(
    base: MemoryImage | undefined,
    state: { length: number; stackPointer: number; runs: readonly Run[] },
  ) {
    this.#base = base
    this.length = state.length
    this.#stackPointer = state.stackPointer
    this.#runs = state.runs
    this.#zeros = findGaps(base === undefined ? state.runs : [...base.#runs, ...state.runs])
  }

  /** @param base of which only the differences are kept; it must be what the instance was restored from */
  static take(instance: QuickJsInstance, base?: MemoryImage): MemoryImage {
    const { memory: live, __stack_pointer: stackPointer } = instance.exports
    const memory = new Uint8Array(live.buffer)
    return new MemoryImage(base, {
      length: memory.length,
      stackPointer: stackPointer.value,
      runs: findRuns(memory, base === undefined ? new Uint8Array(0) : base.#whole),
    })
  }

  /** How much of this process's memory it takes, without that of its base. */
  get storedBytes(): number {
    let sum = 0
    for (const { bytes } of this.#runs) sum += bytes.length
    return sum
  }

  /** Makes an instance what it was. Everything else in its memory becomes zero. */
  restore(instance: QuickJsInstance): void {
    const { memory, __stack_pointer: stackPointer } = instance.exports
    const missing = this.length - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / 65_536))
    const bytes = new Uint8Array(memory.buffer)
    for (const [start, end] of this.#zeros) bytes.fill(0, start, end)
    this.#write(bytes)
    stackPointer.value = this.#stackPointer
  }

  #write(bytes: Uint8Array): void {
    if (this.#base !== undefined) this.#base.#write(bytes)
    for (const run of this.#runs) bytes.set(run.bytes, run.at)
  }

  /** All its bytes, for comparing; kept, since every module that is loaded is compared with the same base. */
  get #whole(): Uint8Array {
    if (this.#expanded !== undefined) return this.#expanded
    this.#expanded = new Uint8Array(this.length)
    this.#write(this.#expanded)
    return this.#expanded
  }
}

const zeros = new Uint8Array(pageBytes)

/** Runs of pages in which two memories differ; where the second one ends it counts as zeros. */
function findRuns(memory: Uint8Array, before: Uint8Array): Run[] {
  const spans: (readonly [number, number])[] = []
  let start = -1
  for (let at = 0; at <= memory.length; at += pageBytes) {
    const end = at + pageBytes
    const old = end <= before.length ? before.subarray(at, end) : zeros
    const differs = at < memory.length && Buffer.compare(memory.subarray(at, end), old) !== 0
    if (differs && start < 0) start = at
    if (differs || start < 0) continue
    spans.push([start, at])
    start = -1
  }
  // One piece of memory for all of them.
  const stored = new Uint8Array(spans.reduce((sum, [from, to]) => sum + to - from, 0))
  let used = 0
  return spans.map(([from, to]) => {
    const bytes = stored.subarray(used, used + to - from)
    bytes.set(memory.subarray(from, to))
    used += to - from
    return { at: from, bytes }
  })
}

function findGaps(runs: readonly Run[]): [number, number][] {
  const gaps: [number, number][] = []
  let end = 0
  for (const { at, bytes } of runs.toSorted((left, right) => left.at - right.at)) {
    if (at > end) gaps.push([end, at])
    end = Math.max(end, at + bytes.length)
  }
  return [...gaps, [end, Number.MAX_SAFE_INTEGER]]
}
