import type { ToolPolicy } from '@toolcrib/policy'
import type { Containment } from './shell-decision.ts'

/** The built-in tools. The names are theirs even while they are off: no made tool takes one. */
export const builtInToolNames = ['file', 'http', 'shell', 'sql'] as const

/** Whether a built-in tool is on, and why. */
export interface BuiltInToolStanding {
  readonly name: (typeof builtInToolNames)[number]
  readonly isOn: boolean
  /** What makes it so, and what to do to have it otherwise. */
  readonly because: string
}

/** A secret as the person in charge sees it; its value is nowhere. */
export interface SecretStanding {
  readonly name: string
  /** What stands in its place in a header; absent when the secret cannot be used. */
  readonly placeholder?: string
  readonly sentence: string
}

/** What the built-in tools of a host are and may do, as data. */
export interface BuiltInStanding {
  readonly settingsFile: string
  readonly hasSettings: boolean
  readonly workspace: string
  readonly policy: ToolPolicy
  /** What the tools that are on may do, in plain words. */
  readonly sentences: readonly string[]
  readonly tools: readonly BuiltInToolStanding[]
  readonly secrets: readonly SecretStanding[]
  /** What keeps commands apart from the host; absent while the shell is off. */
  readonly containment?: Containment
  readonly sqlDatabase: 'postgres' | 'embedded'
}
