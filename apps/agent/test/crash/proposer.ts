import { createHash } from 'node:crypto'
import { type ClientSession, type DeedAnswer, agentOf, madeToolPrefix } from './client-session.ts'
import { type KnownTool, type KnownTools, programOf } from './known-tools.ts'
import type { SeededRandom } from './seeded-random.ts'

/** Makes numbers that no other program of these hosts returns. */
export type NextToken = () => number

/** An agent that proposes tools: new ones, changes, what is there already, what fails its example; and takes some back. */
export class Proposer {
  readonly #owner: string
  readonly #session: ClientSession
  readonly #tools: KnownTools
  readonly #nextToken: NextToken

  constructor(
    owner: string,
    parts: { session: ClientSession; tools: KnownTools; nextToken: NextToken },
  ) {
    this.#owner = owner
    this.#session = parts.session
    this.#tools = parts.tools
    this.#nextToken = parts.nextToken
  }

  async act(random: SeededRandom): Promise<void> {
    const known = this.#tools.pick(random, this.#owner)
    const drawn = random.next()
    if (known === undefined || drawn < 0.4) await this.#proposeNew()
    else if (drawn < 0.55) await this.#proposeWrong()
    else if (drawn < 0.8) await this.#proposeChange(known)
    else if (drawn < 0.9) await this.#proposeAgain(known)
    else await this.#withdraw()
  }

  async #proposeNew(): Promise<void> {
    const tool = this.#newTool()
    const subject = { deed: 'propose', byRule: true, ...tool } as const
    const answer = await this.#session.ask(subject, () => this.#create(tool))
    if ('status' in answer && answer.status === 'activated') this.#tools.add(tool)
  }

  async #proposeWrong(): Promise<void> {
    const tool = this.#newTool()
    const examples = [{ input: { x: 1 }, expected: tool.token + 1 }]
    await this.#session.ask({ deed: 'propose', ...tool }, () => this.#create(tool, examples))
  }

  async #proposeChange(tool: KnownTool): Promise<void> {
    const changed = { ...tool, token: this.#nextToken() }
    const subject = { deed: 'propose', ...changed } as const
    const answer = await this.#session.ask(subject, () => this.#create(changed))
    if ('status' in answer) tool.token = changed.token
  }

  async #proposeAgain(tool: KnownTool): Promise<void> {
    if (this.#session.kernel.toolsmaker.activeVersions()[tool.name] === undefined) return
    const subject = { deed: 'propose', isRepeated: true, ...tool } as const
    await this.#session.ask(subject, () => this.#create(tool))
  }

  async #withdraw(): Promise<void> {
    const { toolsmaker } = this.#session.kernel
    const pending = toolsmaker
      .listPending()
      .find(({ name }) => this.#tools.ownerOf(name) === this.#owner)
    if (pending === undefined) return
    const { name, version } = pending
    await this.#session.ask({ deed: 'withdraw', name }, async () => {
      await toolsmaker.forAgent(agentOf(this.#owner)).withdraw(name, version)
      return {}
    })
  }

  #newTool(): KnownTool {
    const token = this.#nextToken()
    // Names far apart: one that looks like another would wait for a person.
    const digest = createHash('sha256').update(String(token)).digest('hex').slice(0, 12)
    return { name: `${madeToolPrefix}${digest}`, owner: this.#owner, token }
  }

  async #create(
    { name, owner, token }: KnownTool,
    examples: readonly object[] = [],
  ): Promise<DeedAnswer> {
    const proposal = {
      tool_name: name,
      tool_description: `Gives the constant ${token} whatever comes in`,
      tool_parameters: { x: { type: 'number' } },
      logic: programOf(token),
      examples,
    }
    const result = await this.#session.call('toolFactory_createCompute', proposal, { agent: owner })
    if (!result.success) {
      const { errorCode } = result
      return errorCode === 'LOG_UNAVAILABLE' ? { refused: errorCode } : { unknown: true }
    }
    const { errorCode, status } = result.output as { errorCode?: string; status?: string }
    return status === undefined ? { refused: String(errorCode) } : { status }
  }
}
