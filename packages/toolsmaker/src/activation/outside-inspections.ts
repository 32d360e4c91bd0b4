import { askKind } from '../validation/ask-kind.ts'
import { deepFreeze } from '../deep-freeze.ts'
import { readOutsideState } from '../validation/kind-answers.ts'
import { makeVisible } from '../validation/suspicious-text.ts'
import type { OutsideState, ToolKind } from '../tool-kind.ts'
import type { ToolSpec } from '../tool-spec.ts'
import { orAbort } from '../wait-for-abort.ts'

/** One question to a kind, shared by all who want to know while it is under way. */
interface SharedQuestion {
  readonly answer: Promise<OutsideState>
  readonly controller: AbortController
  waiting: number
}

/** What is known of one version since it was put into use. */
interface Finding {
  /** When the question was put that was answered with `intact`, in milliseconds since the epoch. */
  intactAt?: number
  /** Why it counts as changed, until it is put into use anew. */
  changed?: string
  /** It was taken out of use for that. */
  isHeld?: boolean
  question?: SharedQuestion
}

/** What inspections are made with. */
export interface InspectionSettings {
  readonly kinds: ReadonlyMap<string, ToolKind>
  readonly kindTimeoutMs: number
  readonly lastsMs: number
  readonly now: () => number
}

/** A version, as its place on record has it. */
export interface VersionKey {
  readonly name: string
  readonly version: number
}

/** How an inspection is bounded. */
export interface InspectionOptions {
  readonly signal?: AbortSignal | undefined
  /** In milliseconds. @default what a kind has for one answer */
  readonly timeoutMs?: number
}

/** Asks kinds whether what lives outside is what was put into use, and remembers what they found. */
export class OutsideInspections {
  readonly #settings: InspectionSettings
  readonly #findings = new Map<string, Finding>()

  constructor(settings: InspectionSettings) {
    this.#settings = settings
  }

  /** Whether tools of a kind have something outside that can be looked at. */
  covers(kind: string): boolean {
    return this.#settings.kinds.get(kind)?.inspect !== undefined
  }

  /** Whether the last answer was `intact` and still counts. */
  isFresh(version: VersionKey): boolean {
    const { changed, intactAt } = this.#findings.get(keyOf(version)) ?? {}
    if (changed !== undefined || intactAt === undefined) return false
    const age = this.#settings.now() - intactAt
    // A clock that was set back proves nothing.
    return age >= 0 && age < this.#settings.lastsMs
  }

  /** Why a version counts as changed, whatever lives outside now. */
  changeOf(version: VersionKey): string | undefined {
    return this.#findings.get(keyOf(version))?.changed
  }

  /** Whether a version was taken out of use because it was changed. */
  isHeld(version: VersionKey): boolean {
    return this.#findings.get(keyOf(version))?.isHeld === true
  }

  /** Notes that a version was taken out of use because it was changed. */
  markHeld(version: VersionKey): void {
    const finding = this.#findings.get(keyOf(version))
    if (finding !== undefined) finding.isHeld = true
  }

  /** Forgets what was found of a version: it is put into use anew. */
  forget(version: VersionKey): void {
    this.#findings.delete(keyOf(version))
  }

  /**
   * Gives what its kind says. A kind that throws, hangs or answers nonsense knows nothing. Never rejects but with the reason of
   * `signal`.
   */
  async inspect(spec: ToolSpec, options: InspectionOptions = {}): Promise<OutsideState> {
    const { signal, timeoutMs = this.#settings.kindTimeoutMs } = options
    signal?.throwIfAborted()
    const key = keyOf(spec)
    const finding: Finding = this.#findings.get(key) ?? {}
    this.#findings.set(key, finding)
    if (finding.changed !== undefined) return { state: 'changed', reason: finding.changed }
    const question = (finding.question ??= this.#ask(spec, finding, timeoutMs))
    question.waiting += 1
    try {
      return await (signal === undefined ? question.answer : orAbort(question.answer, signal))
    } finally {
      question.waiting -= 1
      if (question.waiting === 0) {
        question.controller.abort()
        if (finding.question === question) delete finding.question
      }
    }
  }

  #ask(spec: ToolSpec, finding: Finding, timeoutMs: number): SharedQuestion {
    const controller = new AbortController()
    const answer = this.#answer(spec, finding, { signal: controller.signal, timeoutMs })
    return { answer, controller, waiting: 0 }
  }

  async #answer(
    spec: ToolSpec,
    finding: Finding,
    limits: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<OutsideState> {
    const askedAt = this.#settings.now()
    const state = await this.#read(spec, limits)
    if (this.#findings.get(keyOf(spec)) !== finding)
      return { state: 'unknown', reason: 'it was put into use anew while it was looked at' }
    delete finding.question
    if (state.state === 'intact') finding.intactAt = askedAt
    if (state.state === 'changed') finding.changed = state.reason
    return state
  }

  async #read(
    spec: ToolSpec,
    limits: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<OutsideState> {
    const kind = this.#settings.kinds.get(spec.kind)
    if (kind?.inspect === undefined) return { state: 'intact' }
    const question = { kind: kind.kind, hook: 'inspect', ...limits }
    try {
      const answer = await askKind(question, (options) => kind.inspect?.(deepFreeze(spec), options))
      const state = readOutsideState(kind.kind, answer)
      return state.state === 'intact' ? state : { ...state, reason: tidy(state.reason) }
    } catch (error) {
      return { state: 'unknown', reason: tidy(error instanceof Error ? error.message : 'unknown') }
    }
  }
}

/** It goes on in a sentence, on record, and names may come from outside. */
function tidy(reason: string): string {
  return makeVisible(reason).replace(/\.+$/, '')
}

function keyOf({ name, version }: VersionKey): string {
  return `${name}@${version}`
}
