import { type ToolPolicy, describePolicy } from '@toolcrib/policy'
import type { ToolGround } from '../built-in/tool-ground.ts'
import type { SandboxChoice } from './choose-sandbox.ts'

/** Whether something is on, and what makes it so. */
export interface Switch {
  readonly isOn: boolean
  readonly because: string
}

/** What code tools of a host are held to, as data. */
export interface CodeStanding extends Switch {
  /** The most that any code tool may touch; each has what it was approved for within this. */
  readonly policy: ToolPolicy
  readonly sentences: readonly string[]
  readonly sandbox: SandboxChoice
  /** Whether sources are checked against their schemas before they are tried. */
  readonly typeCheck: Switch
  /** Files that are dropped there become proposals. */
  readonly dynamicFolder: string
}

/** From what the standing follows, beside the ground. */
export interface CodeStandingFacts {
  readonly policy: ToolPolicy
  readonly sandbox: SandboxChoice
  readonly typeCheck: Switch
  readonly dynamicFolder: string
}

/** Says what code tools are held to. */
export function describeCode(ground: ToolGround, facts: CodeStandingFacts): CodeStanding {
  const { policy, sandbox, typeCheck, dynamicFolder } = facts
  const { code } = ground.settings
  const isOn = code?.enabled !== false
  return {
    isOn,
    because: isOn
      ? code?.enabled === true
        ? 'code.enabled is true'
        : 'on by default'
      : 'code.enabled is false; to switch them on, set it to true',
    policy,
    sentences: describePolicy(policy),
    sandbox,
    typeCheck,
    dynamicFolder,
  }
}
