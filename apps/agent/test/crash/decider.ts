import { setTimeout as wait } from 'node:timers/promises'
import { type ApprovalSigner, signDecision } from '@toolcrib/toolsmaker'
import { type ClientSession, agentOf } from './client-session.ts'
import { type KnownTools, tokenOf } from './known-tools.ts'
import type { SeededRandom } from './seeded-random.ts'

/** A person who decides about what waits, and stops tools now and then. */
export class Decider {
  readonly #session: ClientSession
  readonly #signer: ApprovalSigner
  readonly #tools: KnownTools

  constructor(parts: { session: ClientSession; signer: ApprovalSigner; tools: KnownTools }) {
    this.#session = parts.session
    this.#signer = parts.signer
    this.#tools = parts.tools
  }

  /** Approves most of what waits, and puts back into use what was taken out of it. */
  async grant(random: SeededRandom): Promise<void> {
    const { toolsmaker } = this.#session.kernel
    const pending = random.pick(toolsmaker.listPending())
    if (pending !== undefined && random.chance(0.8)) await this.#sign('approve', pending)
    else if (pending !== undefined) {
      const { name, version } = pending
      await this.#session.ask({ deed: 'reject', name }, async () => {
        await toolsmaker.rejectTool(name, version, { reason: 'not wanted' })
        return {}
      })
    }
    const versions = toolsmaker.listVersions()
    const stopped = random.pick(versions.filter(({ status }) => status === 'deactivated'))
    if (stopped !== undefined && random.chance(0.5)) await this.#sign('activate', stopped)
  }

  async stop(random: SeededRandom): Promise<void> {
    const tool = this.#tools.pick(random)
    const drawn = random.next()
    if (tool !== undefined && drawn < 0.3) {
      const owner = random.chance(0.5) ? tool.owner : undefined
      await this.#deactivate(tool.name, owner)
    } else if (tool !== undefined && drawn < 0.35) await this.#revoke(tool.name)
    else if (drawn < 0.4) await this.#pauseFor(random.between(0, 30))
    else await wait(random.between(0, 60))
  }

  /** Ends a pause. */
  async resume(): Promise<void> {
    await this.#session.ask({ deed: 'resume' }, async () => {
      await this.#session.kernel.toolsmaker.resumeTools({ signer: this.#signer })
      return {}
    })
  }

  async #pauseFor(ms: number): Promise<void> {
    await this.#session.ask({ deed: 'pause' }, async () => {
      await this.#session.kernel.toolsmaker.pauseTools({ reason: 'to look at something' })
      return {}
    })
    await wait(ms)
    await this.resume()
  }

  /** By its owner, where that is given. */
  async #deactivate(name: string, owner: string | undefined): Promise<void> {
    const { toolsmaker } = this.#session.kernel
    await this.#session.ask({ deed: 'deactivate', name }, async () => {
      await (owner === undefined
        ? toolsmaker.deactivateTool(name, { reason: 'no longer wanted' })
        : toolsmaker.forAgent(agentOf(owner)).deactivate(name))
      return {}
    })
  }

  async #revoke(name: string): Promise<void> {
    const { toolsmaker } = this.#session.kernel
    const version = toolsmaker.activeVersions()[name]
    if (version === undefined) return
    const token = tokenOf(toolsmaker, name, version)
    await this.#session.ask({ deed: 'revoke', name, token }, async () => {
      await toolsmaker.revokeTool(name, version, { reason: 'never again' })
      return {}
    })
  }

  async #sign(
    deed: 'approve' | 'activate',
    { name, version }: { readonly name: string; readonly version: number },
  ): Promise<void> {
    const { toolsmaker } = this.#session.kernel
    const token = tokenOf(toolsmaker, name, version)
    await this.#session.ask({ deed, name, token }, async () => {
      const action = deed === 'approve' ? 'approve_and_activate' : 'activate'
      const approver = this.#signer.approverId
      const statement = await toolsmaker.prepareDecision({ action, name, version, approver })
      const decision = await signDecision(statement, this.#signer)
      if (deed === 'approve') await toolsmaker.approveTool(name, version, { decision })
      else await toolsmaker.activateToolVersion(name, version, { decision })
      return {}
    })
  }
}
