import {
  type N8nClient,
  type N8nFunction,
  type N8nWorkflow,
  type RemovalOutcome,
  deployFunction,
  inspectFunction,
  retireFunction,
  rollbackFunction,
  undoDeployment,
  updateFunction,
} from '@toolcrib/n8n'
import { ToolError } from '@toolcrib/registry'
import type { OutsideState, ToolSpec } from '@toolcrib/toolsmaker'
import { KeyedQueue } from '@toolcrib/toolsmaker/kind'
import {
  describeLeft,
  emptyDeployment,
  isLive,
  isUnsettled,
  liveAs,
} from './n8n-deployment-state.ts'
import type { N8nDeployment, N8nDeployments } from './n8n-deployments.ts'
import { clearProgress, forgetLost } from './n8n-leftovers.ts'
import { n8nDefinitionOf } from '../read-n8n-definition.ts'

/** What the workflows of tools are put onto a server with. */
export interface N8nPublisherSettings {
  readonly client: N8nClient
  readonly deployments: N8nDeployments
  readonly namePrefix: string
  readonly readyTimeoutMs: number
}

/** What putting a version onto the server takes into account. */
export interface PutLiveOptions {
  readonly signal?: AbortSignal | undefined
  /** The version that is live until now. */
  readonly previous?: ToolSpec | undefined
}

type SignalOption = Pick<PutLiveOptions, 'signal'>

/**
 * Brings the workflows of tools to where they should be, one step after the other for each tool. What is about to be done is on
 * record before it is done, so that whoever comes after a crash knows what to look for.
 */
export class N8nPublisher {
  readonly #settings: N8nPublisherSettings
  readonly #queue = new KeyedQueue(Number.POSITIVE_INFINITY)
  /** Tools of which something is being done right now. */
  readonly #busy = new Set<string>()
  /** Tools that were taken down, which could not be put on record. */
  readonly #downOffRecord = new Set<string>()

  constructor(settings: N8nPublisherSettings) {
    this.#settings = settings
  }

  isBusy(toolName: string): boolean {
    return this.#busy.has(toolName)
  }

  /** What is on record of a tool. */
  read(toolName: string): Promise<N8nDeployment | undefined> {
    return this.#settings.deployments.read(toolName)
  }

  /** Makes a version live. When that fails, what was live before is live again, or on record as not known. */
  async putLive(spec: ToolSpec, options: PutLiveOptions = {}): Promise<void> {
    await this.#run(spec.name, () => this.#putLive(spec, options))
  }

  /** Leaves a version live, or makes it live again. Where that fails, it is on record that it should be. */
  async restore(spec: ToolSpec, options: SignalOption = {}): Promise<void> {
    await this.#run(spec.name, async () => {
      const known = await this.read(spec.name)
      if (this.#isLive(known, spec)) return
      await this.#putLive(spec, { ...options, mustBeLive: true })
    })
  }

  /** Unpublishes the workflow of a tool; it stays on the server. */
  async takeDown(toolName: string, options: SignalOption = {}): Promise<void> {
    await this.#run(toolName, () => this.#takeDown(toolName, options))
  }

  /** Deletes the workflow of a tool that is out of use, and its credential. */
  async remove(toolName: string, options: SignalOption = {}): Promise<RemovalOutcome> {
    return this.#run(toolName, () => this.#remove(toolName, options))
  }

  /** Tries once more to take down what should be down. Failures stay on record; gives their number. */
  async clearLeftBehind(options: SignalOption = {}): Promise<number> {
    let failures = 0
    for (const { isRetired, leftBehind, toolName } of await this.#settings.deployments.list()) {
      if (leftBehind === undefined || isRetired !== true) continue
      try {
        // oxlint-disable-next-line no-await-in-loop -- the server has just been away
        await this.#run(toolName, async () => {
          // It may have been put into use again.
          if ((await this.read(toolName))?.isRetired === true)
            await this.#takeDown(toolName, options)
        })
      } catch {
        options.signal?.throwIfAborted()
        failures += 1
      }
    }
    return failures
  }

  /**
   * Makes what is on the server that which should be: versions in use live, all else down.
   *
   * @throws {Error} naming the tools for which that failed.
   */
  async settle(inUse: readonly ToolSpec[], { signal }: SignalOption = {}): Promise<void> {
    const wanted = new Map(inUse.map((spec) => [spec.name, spec]))
    const known = await this.#settings.deployments.list()
    // What there is no time for now is put up by a look; that it could not be noted is told below.
    for (const each of known) {
      const spec = wanted.get(each.toolName)
      if (spec !== undefined && !this.#isLive(each, spec))
        void this.#expect(spec, signal).catch(() => undefined)
    }
    // What takes long to fall silent does not keep the rest from being taken down.
    const waiting = [
      ...known.filter(({ isRetired }) => isRetired !== true),
      ...known.filter(({ isRetired }) => isRetired === true),
    ].values()
    const isNoneWanted = inUse.length === 0
    const problems: string[] = []
    const work = async (): Promise<void> => {
      for (const { toolName } of waiting) {
        signal?.throwIfAborted()
        try {
          // oxlint-disable-next-line no-await-in-loop -- several of these loops run beside each other
          await this.#settleOne(toolName, wanted.get(toolName), { isNoneWanted, signal })
        } catch (error) {
          signal?.throwIfAborted()
          problems.push(`${toolName}: ${messageOf(error)}`)
        }
      }
    }
    await Promise.all(Array.from({ length: 8 }, work))
    if (problems.length > 0) throw new Error(problems.join(' '))
  }

  /** Compares what is live with a version. */
  async inspect(spec: ToolSpec, { signal }: SignalOption = {}): Promise<OutsideState> {
    const { client } = this.#settings
    const { contentHash, name } = spec
    let known = await this.read(name)
    if (isUnsettled(known, spec) && !this.isBusy(name)) {
      // It should be live; putting it there failed before, or putting another version in its place.
      try {
        await this.#run(name, async () => {
          const now = await this.read(name)
          if (isUnsettled(now, spec)) await this.#putLive(spec, { signal, mustBeLive: true })
        })
      } catch (error) {
        signal?.throwIfAborted()
        return unknown(`it could not be put back onto n8n: ${messageOf(error)}`)
      }
      known = await this.read(name)
    }
    if (known?.function === undefined)
      return unknown(
        'where it is on n8n is not on record; take it out of use and activate it again',
      )
    if (known.contentHash !== contentHash)
      return unknown(`version ${known.version ?? '?'} is on n8n, not version ${spec.version}`)
    if (known.isRetired === true || this.#downOffRecord.has(name))
      return unknown('its workflow was taken down')
    const state = await inspectFunction(client, known.function, workflowOf(spec), { signal })
    if (state.state === 'changed') {
      const now = await this.read(name)
      // Ours: another version is being put there, or it is being taken down.
      if (this.isBusy(name) || JSON.stringify(now) !== JSON.stringify(known))
        return unknown('its workflow is being changed by us right now')
      if (now?.pending !== undefined)
        return unknown(`putting version ${now.pending.version} onto n8n failed half way`)
      if (known.baseUrl !== client.baseUrl && state.fields.includes('deleted'))
        return unknown(
          `it was put onto n8n at ${known.baseUrl}, and this is n8n at ${client.baseUrl}; take it out of use and activate it again`,
        )
      return { state: 'changed', reason: state.reason }
    }
    return state.state === 'intact' ? { state: 'intact' } : unknown(state.reason)
  }

  #isLive(known: N8nDeployment | undefined, spec: ToolSpec): boolean {
    return isLive(known, spec) && !this.#downOffRecord.has(spec.name)
  }

  async #run<Value>(toolName: string, work: () => Promise<Value>): Promise<Value> {
    return this.#queue.run(toolName, async () => {
      this.#busy.add(toolName)
      try {
        return await work()
      } finally {
        this.#busy.delete(toolName)
      }
    })
  }

  async #settleOne(
    toolName: string,
    wanted: ToolSpec | undefined,
    { isNoneWanted, signal }: SignalOption & { readonly isNoneWanted: boolean },
  ): Promise<void> {
    await this.#run(toolName, async () => {
      const known = await this.read(toolName)
      if (known === undefined) return
      if (wanted === undefined) await this.#takeDown(toolName, { isChecked: isNoneWanted, signal })
      else if (!this.#isLive(known, wanted))
        await this.#putLive(wanted, { signal, mustBeLive: true })
    })
  }

  async #putLive(
    spec: ToolSpec,
    { mustBeLive = false, previous, signal }: PutLiveOptions & { readonly mustBeLive?: boolean },
  ): Promise<void> {
    signal?.throwIfAborted()
    const { client, deployments } = this.#settings
    const found = (await this.read(spec.name)) ?? {
      toolName: spec.name,
      baseUrl: client.baseUrl,
    }
    const wanted = { version: spec.version, contentHash: spec.contentHash }
    if (mustBeLive && found.function !== undefined) {
      const { isRetired: _isRetired, isUnwanted: _isUnwanted, ...rest } = found
      await deployments.write({ ...rest, pending: wanted })
    }
    const cleared = await clearProgress(
      this.#settings,
      (await this.read(spec.name)) ?? found,
      signal,
    )
    const known = await forgetLost(this.#settings, cleared, signal)
    const isPrevious =
      previous !== undefined &&
      known.pending === undefined &&
      known.contentHash === previous.contentHash
    const before = isPrevious ? workflowOf(previous) : undefined
    if (known.function === undefined) await this.#create(known, spec, signal)
    else await this.#replace({ ...known, function: known.function }, spec, { before, signal })
    this.#downOffRecord.delete(spec.name)
  }

  /** The first version of a tool, or one whose workflow is gone. */
  async #create(
    known: N8nDeployment,
    spec: ToolSpec,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { client, deployments } = this.#settings
    const { toolName } = known
    const base = emptyDeployment(known, client)
    let fn: N8nFunction
    try {
      fn = await deployFunction(client, workflowOf(spec), {
        ...this.#labels(spec),
        signal,
        onProgress: (progress) => deployments.write({ ...base, progress }),
      })
    } catch (error) {
      // What could not be taken back is in the last progress, and looked for again.
      if (ToolError.is(error, 'N8N_CLEANUP_INCOMPLETE')) throw error
      await (base.abandoned === undefined ? deployments.remove(toolName) : deployments.write(base))
      throw error
    }
    try {
      await deployments.write({ ...base, ...liveAs(spec, fn) })
    } catch (error) {
      await retireFunction(client, fn)
      throw error
    }
  }

  /** A further version on the workflow of the tool. */
  async #replace(
    known: N8nDeployment & { readonly function: N8nFunction },
    spec: ToolSpec,
    { before, signal }: { readonly before: N8nWorkflow | undefined } & SignalOption,
  ): Promise<void> {
    const { client, deployments } = this.#settings
    const { contentHash, version } = spec
    const workflow = workflowOf(spec)
    await deployments.write({ ...known, pending: { version, contentHash } })
    const versionId = known.versions?.[contentHash]
    const options = {
      ...this.#labels(spec),
      signal,
      ...(before === undefined ? {} : { previous: before }),
    }
    let fn: N8nFunction
    try {
      fn =
        versionId === undefined
          ? await updateFunction(client, known.function, workflow, options)
          : await rollbackFunction(client, known.function, { ...options, versionId, workflow })
    } catch (error) {
      // Else it stays on record that nobody knows which of the two is live.
      if (!ToolError.is(error, 'N8N_CLEANUP_INCOMPLETE')) await deployments.write(known)
      throw error
    }
    const { isRetired: _a, isUnwanted: _b, leftBehind: _c, pending: _d, ...rest } = known
    await deployments.write({
      ...rest,
      baseUrl: client.baseUrl,
      ...liveAs(spec, fn, known.versions),
    })
  }

  #labels({ contentHash, name, version }: ToolSpec): {
    readonly name: string
    readonly versionName: string
    readonly description: string
    readonly readyTimeoutMs: number
  } {
    const { namePrefix, readyTimeoutMs } = this.#settings
    return {
      name: `${namePrefix}/${name}`,
      versionName: `v${version}`,
      description: `Version ${version} of the made tool ${name}, content ${contentHash}. Edits take it out of use.`,
      readyTimeoutMs,
    }
  }

  /** Has it on record that a version is to be live, if it is not. */
  async #expect(spec: ToolSpec, signal: AbortSignal | undefined): Promise<void> {
    await this.#run(spec.name, async () => {
      signal?.throwIfAborted()
      const known = await this.read(spec.name)
      if (known?.function === undefined || this.#isLive(known, spec)) return
      const { isRetired: _isRetired, isUnwanted: _isUnwanted, ...rest } = known
      const pending = { version: spec.version, contentHash: spec.contentHash }
      await this.#settings.deployments.write({ ...rest, pending })
    })
  }

  /** Unpublishes, or deletes where that was asked for; `isChecked`: also what is down on record, if somebody published it. */
  async #takeDown(
    toolName: string,
    { isChecked = false, signal }: SignalOption & { readonly isChecked?: boolean },
  ): Promise<void> {
    const { client, deployments } = this.#settings
    const found = await this.read(toolName)
    if (found === undefined) return
    const known = await clearProgress(this.#settings, found, signal)
    const { leftBehind, pending, ...rest } = known
    if (known.function === undefined) {
      if (known.abandoned === undefined) await deployments.remove(toolName)
      return
    }
    const isDown = known.isRetired === true && leftBehind === undefined && pending === undefined
    if (isDown && !(isChecked && (await this.#isPublished(known.function, signal)))) return
    const name = `workflow ${known.function.workflowId}`
    // On record first: what is interrupted now is taken up again at the next chance.
    let offRecord: unknown
    try {
      await deployments.write({
        ...known,
        isRetired: true,
        leftBehind: `${name} (may still be live)`,
      })
    } catch (error) {
      // A full disk keeps nothing running.
      this.#downOffRecord.add(toolName)
      offRecord = error
    }
    const isUnwanted = known.isUnwanted === true
    const mode = isUnwanted ? 'delete' : 'unpublish'
    const outcome = await retireFunction(client, known.function, { mode, signal })
    if (offRecord !== undefined) throw offRecord
    this.#downOffRecord.delete(toolName)
    if (outcome.removed && isUnwanted) return deployments.remove(toolName)
    if (outcome.removed) return deployments.write({ ...rest, isRetired: true })
    const left = describeLeft(outcome)
    await deployments.write({ ...known, isRetired: true, leftBehind: left })
    throw new Error(
      `It is out of use, but n8n could not be told: ${left}. It is tried again later.`,
    )
  }

  async #isPublished(
    { workflowId }: N8nFunction,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    try {
      return (await this.#settings.client.workflows.get(workflowId, { signal })).active
    } catch (error) {
      if (ToolError.is(error, 'N8N_NOT_FOUND')) return false
      throw error
    }
  }

  async #remove(toolName: string, { signal }: SignalOption): Promise<RemovalOutcome> {
    const { client, deployments } = this.#settings
    const known = await this.read(toolName)
    if (known === undefined) return { removed: false, left: [] }
    const outcomes: RemovalOutcome[] = []
    if (known.progress !== undefined)
      outcomes.push(await undoDeployment(client, known.progress, { signal }))
    if (known.function !== undefined) {
      if (known.isRetired !== true)
        return {
          removed: false,
          left: [`workflow ${known.function.workflowId} (in use)`],
          reason: 'The tool is in use. Take it out of use first.',
        }
      outcomes.push(await retireFunction(client, known.function, { signal }))
    }
    const left = outcomes.flatMap((outcome) => outcome.left)
    const reason = outcomes.find((outcome) => outcome.reason !== undefined)?.reason
    if (left.length === 0) {
      await deployments.remove(toolName)
      const { abandoned } = known
      // Said a last time: from now on nobody knows of it.
      return abandoned === undefined
        ? { removed: outcomes.length > 0, left }
        : { removed: false, left: [abandoned], reason: 'It has to be taken down by hand.' }
    }
    const outcome = { removed: false, left, ...(reason === undefined ? {} : { reason }) }
    await deployments.write({ ...known, isUnwanted: true, leftBehind: describeLeft(outcome) })
    return outcome
  }
}

function workflowOf(spec: ToolSpec): N8nWorkflow {
  return n8nDefinitionOf(spec).workflow
}

function unknown(reason: string): OutsideState {
  return { state: 'unknown', reason }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
