import { ToolError } from '@toolcrib/registry'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allowsAttempt } from '../../test/allows-attempt.ts'
import { attempts, policies } from '../../test/arbitrary-policy.ts'
import { diffPolicies } from './diff-policies.ts'
import { isPolicyWithin, narrowPolicies } from './narrow-policies.ts'
import { readToolPolicy } from './read-tool-policy.ts'
import type { ToolPolicy } from './tool-policy.ts'

const runs = { numRuns: 200 }
const many = fc.array(attempts, { minLength: 20, maxLength: 20 })

describe('the narrower of two policies', () => {
  test('allows exactly what both allow', () => {
    let allowed = 0
    fc.assert(
      fc.property(policies, policies, many, (first, second, tries) => {
        const narrow = narrowPolicies(first, second)
        for (const attempt of tries) {
          const both = allowsAttempt(first, attempt) && allowsAttempt(second, attempt)
          expect(allowsAttempt(narrow, attempt)).toBe(both)
          if (both) allowed += 1
        }
      }),
      { numRuns: 400 },
    )
    // Else the test would say nothing about what remains.
    expect(allowed).toBeGreaterThan(30)
  })

  test('does not depend on which comes first', () => {
    fc.assert(
      fc.property(policies, policies, (first, second) => {
        expect(narrowPolicies(first, second)).toEqual(narrowPolicies(second, first))
      }),
      runs,
    )
  })

  test('with itself allows the same', () => {
    fc.assert(
      fc.property(policies, (policy) => {
        const same = narrowPolicies(policy, policy)
        expect(narrowPolicies(same, same)).toEqual(same)
        expect(isPolicyWithin(same, policy)).toBe(true)
        expect(isPolicyWithin(policy, same)).toBe(true)
      }),
      runs,
    )
  })

  test('of three does not depend on which two are taken first', () => {
    fc.assert(
      fc.property(policies, policies, policies, (first, second, third) => {
        expect(narrowPolicies(narrowPolicies(first, second), third)).toEqual(
          narrowPolicies(first, narrowPolicies(second, third)),
        )
      }),
      runs,
    )
  })

  test('can be read, and lies within both', () => {
    fc.assert(
      fc.property(policies, policies, (first, second) => {
        const narrow = readToolPolicy(narrowPolicies(first, second))
        expect(isPolicyWithin(narrow, first)).toBe(true)
        expect(isPolicyWithin(narrow, second)).toBe(true)
      }),
      runs,
    )
  })

  test.each<readonly [string, ToolPolicy, ToolPolicy, ToolPolicy]>([
    ['nothing with all', {}, { http: { origins: ['*'] } }, {}],
    [
      'items that others make needless',
      {
        fs_read: { paths: ['a/b', 'a', './c/'] },
        http: { origins: ['x.y.test', '*.y.test'], privateAddresses: ['10.1.2.3', '10.0.0.0/8'] },
      },
      {
        fs_read: { paths: ['.'] },
        http: { origins: ['*'], privateAddresses: ['10.0.0.0/8'] },
      },
      {
        fs_read: { paths: ['a', 'c'] },
        http: { origins: ['*.y.test'], privateAddresses: ['10.0.0.0/8'] },
      },
    ],
    [
      'a host with a wildcard',
      { http: { origins: ['a.x.test', 'x.test', 'b.test'] } },
      { http: { origins: ['*.x.test'] } },
      { http: { origins: ['a.x.test'] } },
    ],
    [
      'a wildcard with a deeper one, a port with every port',
      { http: { origins: ['*.x.test:*'] } },
      { http: { origins: ['*.a.x.test:8443'] } },
      { http: { origins: ['*.a.x.test:8443'] } },
    ],
    [
      'hosts that overlap and ports that overlap',
      { http: { origins: ['*:8443'] } },
      { http: { origins: ['a.test:*'] } },
      { http: { origins: ['a.test:8443'] } },
    ],
    [
      'https with http',
      { http: { origins: ['a.test:*'] } },
      { http: { origins: ['http://a.test:*'] } },
      {},
    ],
    [
      'a wildcard with the name above it',
      { http: { origins: ['*.x.test'] } },
      { http: { origins: ['x.test'] } },
      {},
    ],
    [
      'a wildcard with a name that only ends alike',
      { http: { origins: ['*.x.test'] } },
      { http: { origins: ['ax.test', '*.ax.test'] } },
      {},
    ],
    [
      'methods that have nothing in common',
      { http: { origins: ['*'], methods: ['GET'] } },
      { http: { origins: ['*'], methods: ['POST'] } },
      {},
    ],
    [
      'a limit with a default',
      { fs_read: { paths: ['a'], maxBytes: 2_000_000 } },
      { fs_read: { paths: ['a/b'] } },
      { fs_read: { paths: ['a/b'] } },
    ],
    [
      'folders whose names begin alike',
      { fs_read: { paths: ['/srv/data'] } },
      { fs_read: { paths: ['/srv/data2', '/srv/data/x'] } },
      { fs_read: { paths: ['/srv/data/x'] } },
    ],
    [
      'the base folder with relative and absolute paths',
      { fs_read: { paths: ['.'] } },
      { fs_read: { paths: ['a', '.b', '/srv', 'C:/data'] } },
      { fs_read: { paths: ['.b', 'a'] } },
    ],
    [
      'a folder with protected names in it',
      { fs_read: { paths: ['a'] }, fs_write: { paths: ['a'] } },
      {
        fs_read: { paths: ['a/.env', 'a/.git/x', 'a/.cargo', 'a/.config/app', 'a/.vscode'] },
        fs_write: { paths: ['a/.vscode', 'a/x/.profile', 'a/ok'] },
      },
      { fs_read: { paths: ['a/.config/app', 'a/.vscode'] }, fs_write: { paths: ['a/ok'] } },
    ],
    [
      'a metadata service with the range around it',
      { http: { origins: ['*'], privateAddresses: ['169.254.0.0/16'] } },
      { http: { origins: ['*'], privateAddresses: ['169.254.169.254', '169.254.1.1'] } },
      { http: { origins: ['*'], privateAddresses: ['169.254.1.1'] } },
    ],
    [
      'folders that differ in case',
      { fs_read: { paths: ['/srv/Data'] } },
      { fs_read: { paths: ['/srv/data'] } },
      {},
    ],
    ['reading with writing', { fs_read: { paths: ['a'] } }, { fs_write: { paths: ['a'] } }, {}],
    [
      'ranges',
      { http: { origins: ['*'], privateAddresses: ['10.0.0.0/8', 'fd00::/8'] } },
      { http: { origins: ['*'], privateAddresses: ['10.1.0.0/16', '192.168.0.1'] } },
      { http: { origins: ['*'], privateAddresses: ['10.1.0.0/16'] } },
    ],
    [
      'every version with one',
      { tools: { callees: [{ name: 'x', hash: null }] } },
      { tools: { callees: [{ name: 'x', hash: 'a'.repeat(64) }] } },
      { tools: { callees: [{ name: 'x', hash: 'a'.repeat(64) }] } },
    ],
    [
      'two versions',
      { tools: { callees: [{ name: 'x', hash: 'b'.repeat(64) }] } },
      { tools: { callees: [{ name: 'x', hash: 'a'.repeat(64) }] } },
      {},
    ],
  ])('%s', (_, ...[first, second, expected]) => {
    expect(narrowPolicies(first, second)).toEqual(expected)
  })

  test('that would be longer than a policy may be is an error, not a part of it', () => {
    const some = <Item>(make: (index: number) => Item, count: number): Item[] =>
      Array.from({ length: count }, (_, index) => make(index))
    const ports = { http: { origins: some((index) => `*:${index + 1}`, 11) } }
    const hosts = (count: number): ToolPolicy => ({
      http: { origins: some((index) => `h${index}.test:*`, count) },
    })
    expect(narrowPolicies(ports, hosts(9)).http?.origins.length).toBe(99)
    expect(() => narrowPolicies(ports, hosts(10))).toThrow(/110 origins in common/)
  })

  test('of what is no policy is an error', () => {
    for (const pair of [
      [{}, { http: { origins: ['*.com'] } }],
      [{ http: { origins: [] } }, {}],
    ] as const)
      try {
        narrowPolicies(pair[0], pair[1])
        expect.unreachable()
      } catch (error) {
        expect(ToolError.is(error, 'POLICY_INVALID')).toBe(true)
      }
  })
})

test('a policy lies within another exactly when narrowing changes nothing', () => {
  let within = 0
  fc.assert(
    fc.property(policies, policies, fc.boolean(), (first, second, related) => {
      const inner = related ? narrowPolicies(first, second) : first
      const narrowed = narrowPolicies(inner, second)
      const same = JSON.stringify(narrowed) === JSON.stringify(narrowPolicies(inner, inner))
      expect(isPolicyWithin(inner, second)).toBe(same)
      if (same) within += 1
    }),
    runs,
  )
  expect(within).toBeGreaterThan(30)
})

describe('a policy is within another only if it is so in', () => {
  const policy = {
    fs_read: { paths: ['data'], maxBytes: 1_000 },
    fs_write: { paths: ['out'], maxBytes: 1_000 },
    http: {
      origins: ['a.test'],
      methods: ['GET'],
      privateAddresses: ['10.1.0.0/16'],
      maxRequestBytes: 1_000,
      maxResponseBytes: 1_000,
      maxRedirects: 1,
    },
    secrets: { names: ['A'] },
    tools: { callees: [{ name: 'x', hash: 'a'.repeat(64) }] },
  } as const
  const wider: Readonly<Record<string, ToolPolicy>> = {
    'paths to read': { ...policy, fs_read: { ...policy.fs_read, paths: ['.'] } },
    'size of reads': { ...policy, fs_read: { ...policy.fs_read, maxBytes: 1_001 } },
    'paths to change': { ...policy, fs_write: { ...policy.fs_write, paths: ['out', 'b'] } },
    'size of changes': { ...policy, fs_write: { paths: ['out'] } },
    origins: { ...policy, http: { ...policy.http, origins: ['a.test:*'] } },
    methods: { ...policy, http: { ...policy.http, methods: ['GET', 'HEAD'] } },
    addresses: { ...policy, http: { ...policy.http, privateAddresses: ['10.0.0.0/8'] } },
    requests: { ...policy, http: { ...policy.http, maxRequestBytes: 1_001 } },
    answers: { ...policy, http: { ...policy.http, maxResponseBytes: 1_001 } },
    redirects: { ...policy, http: { ...policy.http, maxRedirects: 2 } },
    secrets: { ...policy, secrets: { names: ['A', 'B'] } },
    callees: { ...policy, tools: { callees: [{ name: 'x', hash: null }] } },
  }
  test.each(Object.entries(wider))('%s', (_, after) => {
    expect(isPolicyWithin(policy, after)).toBe(true)
    expect(isPolicyWithin(after, policy)).toBe(false)
    expect(diffPolicies(policy, after).map(({ change }) => change)).toEqual(['widened'])
    expect(narrowPolicies(policy, after)).toEqual(narrowPolicies(policy, policy))
  })
})
