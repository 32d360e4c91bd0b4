import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { ToolPolicyViolation } from '../src/index.ts'
import { openSecretVault } from '../src/secrets.ts'
import { type HttpWorld, openHttpWorld } from './http-world.ts'

interface CorpusCase {
  readonly id: string
  readonly what: string
  readonly request: {
    readonly url: string
    readonly method?: string
    readonly headers?: Record<string, string>
    readonly body?: string
  }
  readonly policy: { readonly allow: readonly string[]; readonly allowPrivate?: readonly string[] }
  readonly dns?: Record<string, readonly string[] | { readonly sequence: readonly string[][] }>
  readonly server?: Record<
    string,
    {
      readonly status?: number
      readonly headers?: Record<string, string>
      readonly endless?: boolean
    }
  >
  readonly env?: Record<string, string>
  readonly secrets?: Record<string, { readonly value: string; readonly hosts: readonly string[] }>
  readonly expected: { readonly outcome: 'allow' | 'violation'; readonly rule?: string }
}

const { cases } = JSON.parse(
  readFileSync(new URL('corpus/policy-http.json', import.meta.url), 'utf8'),
) as { readonly cases: readonly CorpusCase[] }

let world: HttpWorld
beforeAll(async () => {
  world = await openHttpWorld()
})
afterEach(() => {
  vi.unstubAllEnvs()
  world.reset()
})
afterAll(() => world.close())

/** Serves what the case says of its paths, what it got at `/echo`, and `ok` elsewhere. */
function serve(server: CorpusCase['server']): void {
  world.answer = ({ path, headers }, response) => {
    const answer = server?.[path]
    response.writeHead(answer?.status ?? 200, answer?.headers ?? {})
    if (answer?.endless !== true) {
      response.end(path === '/echo' ? JSON.stringify(headers) : 'ok')
      return
    }
    const pour = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', pour)
    pour()
  }
}

function resolveNames(dns: CorpusCase['dns']): void {
  for (const [name, answers] of Object.entries(dns ?? {})) {
    if (!('sequence' in answers)) {
      world.dns[name] = answers
      continue
    }
    const left = [...answers.sequence]
    world.dns[name] = () => (left.length > 1 ? left.shift() : left[0]) ?? []
  }
}

function fillPlaceholders(text: string, placeholder: (name: string) => string): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
    name === 'NONCE' ? (placeholder('KEY').split('_')[1] ?? '') : placeholder(name),
  )
}

describe('the corpus of HTTP cases', () => {
  test.each(cases.map((entry) => [entry.id, entry.what, entry] as const))(
    '%s: %s',
    async (_id, _what, { request, policy, dns, server, env, secrets, expected }) => {
      for (const [name, value] of Object.entries(env ?? {})) vi.stubEnv(name, value)
      serve(server)
      resolveNames(dns)
      const vault = openSecretVault(secrets ?? {}, { environment: {} })
      const fill = (text: string): string =>
        fillPlaceholders(text, (name) => vault.placeholder(name))
      const guard = world.guard({
        policy: { origins: policy.allow, privateAddresses: policy.allowPrivate ?? [] },
        secrets: vault.fillerFor(Object.keys(secrets ?? {})),
      })
      const headers = Object.entries(request.headers ?? {}).map(([name, value]) => [
        fill(name),
        fill(value),
      ])
      const outcome = await guard
        .request({
          ...request,
          url: fill(request.url),
          headers: Object.fromEntries(headers) as never,
          ...(request.body === undefined ? {} : { body: fill(request.body) }),
        })
        .then(
          (answer) => answer,
          (error: unknown) => error,
        )
      // Values come back to nobody and reach nobody but whom they are bound to.
      for (const { value, hosts } of Object.values(secrets ?? {})) {
        expect(vault.redactText(inspect(outcome, { depth: 10 }))).toBe(
          inspect(outcome, { depth: 10 }),
        )
        for (const { host, ...seen } of world.seen)
          if (!hosts.includes(host)) expect(JSON.stringify(seen)).not.toContain(value)
      }
      if (expected.outcome === 'allow') {
        expect(outcome).toMatchObject({ status: 200 })
        return
      }
      expect(ToolPolicyViolation.isViolation(outcome)).toBe(true)
      const violation = outcome as ToolPolicyViolation
      if (expected.rule !== undefined) expect(violation.rule).toBe(expected.rule)
      // What was refused reached nobody: neither a forbidden host nor, without a redirect, any server at all.
      for (const { host, body } of world.seen) {
        expect(host).toMatch(/^(?:api\.good\.test|(?:[\w-]+\.)+wild\.test)$/)
        if (host.endsWith('wild.test')) expect(body).toBe('')
      }
      if (server === undefined) expect(world.connections()).toBe(0)
    },
  )
})
