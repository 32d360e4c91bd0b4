import { join } from 'node:path'
import type { StoredEvent } from '@toolcrib/toolsmaker'
import type { Kernel } from '../../src/host/kernel.ts'
import { checkCalls, findOpenCalls, readCalls } from './check-calls.ts'
import { findWrongEvents } from './check-events.ts'
import { findWrongFiles } from './check-files.ts'
import type { ClientSession } from './client-session.ts'
import type { Promises } from './promises.ts'

/** What a check needs to know about the host. */
export interface HostCheck {
  readonly promises: Promises
  /** Whether calls of the host that died must have been swept by now; on Postgres that takes the grace of a silent host. */
  readonly isSwept: boolean
  /** Ends a pause, as a person. */
  readonly resume: () => Promise<unknown>
}

/** Compares a host that was started where another was killed with everything that was ever promised, and says what differs. */
export async function checkHost(session: ClientSession, check: HostCheck): Promise<void> {
  const { kernel } = session
  const { toolsmaker } = kernel
  const { promises } = check
  const broken = (problem: string): void => session.say({ fact: 'broken', problem })
  const audit = await toolsmaker.verifyAudit()
  if (!audit.ok) broken(`the record is wrong at event ${audit.sequence}: ${audit.reason}`)
  if (toolsmaker.logProblem !== undefined) broken(`the log is doubted: ${toolsmaker.logProblem}`)
  const events = await eventsByName(session)
  for (const name of ['', ...promises.names()])
    for (const problem of findWrongEvents(events.get(name) ?? [], promises.deedsOf(name)))
      broken(`${name === '' ? 'all tools' : name}: ${problem}`)
  for (const name of events.keys())
    if (name !== '' && promises.deedsOf(name).length === 0) broken(`nobody ever proposed ${name}`)
  // Before anything is called here, so that whatever is open was left open.
  const calls = await readCalls(kernel.callLog)
  for (const fact of checkCalls(promises.answers, calls)) session.say(fact)
  if (check.isSwept) for (const fact of findOpenCalls(calls)) session.say(fact)
  await checkPause(session, check)
  await Promise.all(promises.names().map((name) => checkTool(session, { name, promises })))
  for (const problem of await findWrongFiles(toolsmaker, storeOf(kernel))) broken(problem)
}

/** Each namespace has a folder of its own. */
function storeOf({ folder: { store }, toolsmaker: { namespace } }: Kernel): string {
  return namespace === 'default' ? store : join(store, 'namespaces', namespace)
}

async function eventsByName({ kernel }: ClientSession): Promise<Map<string, StoredEvent[]>> {
  const events = new Map<string, StoredEvent[]>()
  for (const stored of await kernel.toolsmaker.listEvents({ limit: 1_000_000 })) {
    const { event } = stored
    const name = event !== undefined && 'name' in event ? event.name : ''
    const others = events.get(name)
    if (others === undefined) events.set(name, [stored])
    else others.push(stored)
  }
  return events
}

/** A pause that was acknowledged is in force, and stops every made tool. It is ended then, so that tools can be looked at. */
async function checkPause(session: ClientSession, { promises, resume }: HostCheck): Promise<void> {
  const { toolsmaker } = session.kernel
  const paused = toolsmaker.paused !== undefined
  const possible = promises.possiblePauses()
  if (!possible.has(paused))
    session.say({
      fact: 'broken',
      problem: paused ? `paused by nobody: ${toolsmaker.paused?.reason}` : 'a pause was lost',
    })
  if (possible.size > 1) session.say({ fact: 'seen', paused })
  if (!paused) return
  session.guard.stopped()
  for (const name of Object.keys(toolsmaker.activeVersions()).slice(0, 10))
    await session.call(name, { x: 1 }, { agent: ownerOf(promises, name) })
  await resume()
}

/** What a call of a tool returns is what may be in use, and a tool that must be in use can be called. */
async function checkTool(
  session: ClientSession,
  { name, promises }: { readonly name: string; readonly promises: Promises },
): Promise<void> {
  const possible = promises.possibleTokens(name)
  const version = session.kernel.toolsmaker.activeVersions()[name]
  const isKnownStopped = possible.size === 1 && possible.has(null)
  if (isKnownStopped) session.guard.stopped(name)
  if (isKnownStopped && version === undefined && !isRegistered(session, name)) return
  const result = await session.call(name, { x: 1 }, { agent: ownerOf(promises, name) })
  const token = result.success ? (result.output as number) : null
  if (!possible.has(token))
    session.say({
      fact: 'broken',
      problem: result.success
        ? `${name} v${version} returns ${token}, only ${[...possible].join(' or ')} may be in use`
        : `${name} v${version} cannot be called, ${[...possible].join(' or ')} must be in use: ${result.error}`,
    })
  if (possible.size > 1) session.say({ fact: 'seen', name, token })
}

function isRegistered({ kernel }: ClientSession, name: string): boolean {
  return kernel.registry.get(name) !== undefined
}

function ownerOf(promises: Promises, name: string): string {
  return promises.deedsOf(name).find(({ owner }) => owner !== undefined)?.owner ?? 'nobody'
}
