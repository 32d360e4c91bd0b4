import type { LookupAddress } from 'node:dns'
import { type IpAddress, isLoopback, readAddress } from './address-ranges.ts'
import { showQuoted } from '../policies/describe-text.ts'
import { policyError } from '../error-catalogue.ts'
import { couldReachPath } from '../http/http-path-forms.ts'

/** A place that tools may never reach, whatever their policy says: the host's own console, API, database. */
export interface DeniedService {
  /** A name or an address; `localhost` and loopback addresses stand for every address of this machine. */
  readonly host: string
  /** @default every port */
  readonly port?: number
  /** Only below this path, such as `/api` and `/rest` of an n8n server whose `/webhook` stays reachable. @default everything */
  readonly path?: string
}

/** What of a request decides whether it goes to a denied service. */
export interface ServiceTarget {
  readonly hostname: string
  readonly port: number
  readonly path: string
}

/** The denied services of one guard. */
export interface DeniedServices {
  /** Looks up the names of the services again if that was long ago; what cannot be resolved keeps its last addresses. */
  refresh(): Promise<void>
  hasName(target: ServiceTarget): boolean
  hasAddress(address: string, target: ServiceTarget): boolean
}

/** What the machine tells about itself. */
export interface MachineFacts {
  /** Every address of its network interfaces. */
  readonly ownAddresses: () => readonly string[]
  readonly lookup: (hostname: string) => Promise<readonly LookupAddress[]>
  /** Milliseconds that never run backwards. */
  readonly now: () => number
}

interface ReadService {
  readonly host: string
  readonly address: IpAddress | undefined
  readonly isThisMachine: boolean
  readonly port: number | undefined
  readonly path: string
}

const factsLastMs = 30_000

/** @throws {ToolError} POLICY_INVALID when a service cannot be read */
export function createDeniedServices(
  services: readonly DeniedService[],
  facts: MachineFacts,
): DeniedServices {
  const denied = services.map((service, index) => readService(service, `denied[${index}]`))
  const names = denied.filter(
    ({ address, isThisMachine }) => !isThisMachine && address === undefined,
  )
  const resolved = new Map<string, ReadonlySet<string>>()
  let own: ReadonlySet<string> = new Set()
  let refreshedAt = Number.NEGATIVE_INFINITY
  let refreshing: Promise<unknown> | undefined

  const resolve = async ({ host }: ReadService): Promise<void> => {
    try {
      const answers = await facts.lookup(host)
      if (answers.length > 0) resolved.set(host, new Set(answers.map((a) => canonical(a.address))))
    } catch {
      // The name itself stays denied, and so do the addresses it had.
    }
  }
  const isOwn = (address: string): boolean => {
    const read = readAddress(address)
    return own.has(address) || (read !== undefined && isLoopback(read))
  }
  /** A service on this machine is reached through any of its addresses. */
  const standsAt = (service: ReadService, address: string): boolean => {
    const known = [...(resolved.get(service.host) ?? []), service.address?.toString() ?? '']
    if (known.includes(address)) return true
    return isOwn(address) && (service.isThisMachine || known.some(isOwn))
  }

  return {
    async refresh(): Promise<void> {
      if (denied.length === 0 || facts.now() - refreshedAt < factsLastMs) return
      refreshing ??= Promise.all(names.map(resolve)).finally(() => {
        own = new Set(facts.ownAddresses().map(canonical))
        refreshedAt = facts.now()
        refreshing = undefined
      })
      await refreshing
    },
    hasName: (target) =>
      denied.some(
        (service) => service.host === target.hostname && matchesPortAndPath(service, target),
      ),
    hasAddress(text, target): boolean {
      if (denied.length === 0) return false
      const address = canonical(text)
      return denied.some(
        (service) => standsAt(service, address) && matchesPortAndPath(service, target),
      )
    },
  }
}

function matchesPortAndPath({ port, path }: ReadService, target: ServiceTarget): boolean {
  return (port === undefined || port === target.port) && couldReachPath(target.path, path)
}

function canonical(address: string): string {
  return readAddress(address)?.toString() ?? address
}

function readService({ host, port, path = '/' }: DeniedService, field: string): ReadService {
  const refuse = (reason: string): never => {
    throw policyError('POLICY_INVALID', `${field}: ${reason}`)
  }
  const bare = /^\[.*\]$/.test(host) ? host.slice(1, -1) : host
  const url = URL.parse(`http://${bare.includes(':') ? `[${bare}]` : bare}`)
  if (url === null || url.hostname === '' || /[/?#@\\\s]/.test(bare))
    return refuse(`${showQuoted(host.slice(0, 100))} is no host name and no address`)
  if (port !== undefined && !(Number.isInteger(port) && port >= 1 && port <= 65_535))
    return refuse(`port ${port} is no number from 1 to 65535`)
  if (!path.startsWith('/')) return refuse(`path ${showQuoted(path)} must begin with a slash`)
  const name = url.hostname.replace(/\.$/, '')
  const address = readAddress(name.replace(/^\[|\]$/g, ''))
  const isThisMachine =
    address === undefined
      ? name === 'localhost' || name.endsWith('.localhost')
      : isLoopback(address)
  return { host: name, address, isThisMachine, port, path }
}
