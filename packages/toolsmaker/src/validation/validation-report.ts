import type { JsonValue } from '@toolcrib/registry'

/** One named check of a proposal. */
export interface ValidationCheck {
  /** Such as `capability-arguments`. */
  readonly name: string
  readonly pass: boolean
  /** What was found; for a failed check also what to do. */
  readonly message: string
}

/** An operation of the host that a tool asked for while it was tried; it was answered from the author's fixtures. */
export interface EvidenceOperation {
  /** Such as `http.request`. */
  readonly operation: string
  /** What it was asked with; shortened where it is long. */
  readonly argument: JsonValue
  /** `fixture`: answered as the author said; `none`: no fixture fits, so it failed; `refused`: the tool did not ask for that power. */
  readonly answer: 'fixture' | 'none' | 'refused'
}

/** One run of the tool on one input, with every operation of the host simulated. */
export interface EvidenceRun {
  readonly input: JsonValue
  /** What the author promised; absent for a generated input. */
  readonly expected?: JsonValue
  /** What came out; absent when it failed. */
  readonly actual?: JsonValue
  readonly error?: string
  readonly pass: boolean
  readonly durationMs: number
  /** `author`: an example of the author; `generated`: made from the input schema. */
  readonly origin: 'author' | 'generated'
  /** What it asked of the host, in order; absent for kinds whose tools can ask for nothing. */
  readonly operations?: readonly EvidenceOperation[]
}

/** What checking a proposal gave. */
export interface ValidationReport {
  readonly pass: boolean
  readonly checks: readonly ValidationCheck[]
  readonly evidence: readonly EvidenceRun[]
  /** What the tool may do and touch, in sentences made from its content; empty means nothing. */
  readonly powers: readonly string[]
  /** What the tool does, step by step, in sentences made from its definition. */
  readonly steps: readonly string[]
  /** What the kind says about the change since the last approved version. */
  readonly change: readonly string[]
  /** Why a person should look twice; empty means nothing was found. */
  readonly suspicions: readonly string[]
}
