import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { policies } from '../../test/arbitrary-policy.ts'
import { diffPolicies } from './diff-policies.ts'
import { isPolicyWithin, narrowPolicies } from './narrow-policies.ts'
import type { ToolPolicy } from './tool-policy.ts'

const runs = { numRuns: 200 }
const morePower: ReadonlySet<string> = new Set(['added', 'widened', 'changed'])

function list(before: ToolPolicy, after: ToolPolicy): readonly string[] {
  return diffPolicies(before, after).map(
    ({ capability, change, sentence }) => `${capability} ${change}: ${sentence}`,
  )
}

describe('the difference of two policies', () => {
  test('is empty exactly when both allow the same', () => {
    fc.assert(
      fc.property(policies, policies, (first, second) => {
        expect(diffPolicies(first, narrowPolicies(first, first))).toEqual([])
        const same = isPolicyWithin(first, second) && isPolicyWithin(second, first)
        expect(diffPolicies(first, second).length === 0).toBe(same)
      }),
      runs,
    )
  })

  test('speaks of more power exactly when there is more', () => {
    fc.assert(
      fc.property(policies, policies, fc.boolean(), (first, second, related) => {
        const after = related ? narrowPolicies(first, second) : second
        const more = diffPolicies(first, after).some(({ change }) => morePower.has(change))
        expect(more).toBe(!isPolicyWithin(after, first))
      }),
      runs,
    )
  })

  test('begins with what gives power', () => {
    const order = ['added', 'widened', 'changed', 'narrowed', 'removed']
    fc.assert(
      fc.property(policies, policies, (first, second) => {
        const ranks = diffPolicies(first, second).map(({ change }) => order.indexOf(change))
        expect(ranks).toEqual(ranks.toSorted((left, right) => left - right))
      }),
      runs,
    )
  })

  test('is said for each capability', () => {
    expect(
      list(
        {
          fs_read: { paths: ['data', 'logs'] },
          fs_write: { paths: ['out'] },
          http: { origins: ['*.good.test', 'b.test'], methods: ['GET', 'HEAD'] },
          tools: { callees: [{ name: 'x', hash: 'a'.repeat(64) }] },
        },
        {
          fs_read: { paths: ['data/reports', 'more'], maxBytes: 5_242_880 },
          http: {
            origins: ['api.good.test', 'http://b.test'],
            methods: ['GET', 'POST'],
            privateAddresses: ['10.1.0.0/16'],
            maxRedirects: 0,
          },
          secrets: { names: ['API_TOKEN'] },
          tools: { callees: [{ name: 'x', hash: 'b'.repeat(64) }] },
        },
      ),
    ).toEqual([
      'secrets added: New: May use the secret API_TOKEN',
      'fs_read widened: May now also read files in more',
      'fs_read widened: May now read files of at most 5 MiB, before: read files of at most 1 MiB',
      'http widened: May now also send HTTP requests to b.test (not encrypted)',
      'http widened: May now also send requests with POST',
      'http widened: May now also reach the private addresses 10.1.0.0/16',
      `tools changed: May now call the tool x (exactly version hash ${'b'.repeat(64)}), before another version of it`,
      'fs_read narrowed: May no longer read files in data, only files in data/reports',
      'fs_read narrowed: May no longer read files in logs',
      'http narrowed: May no longer send HTTP requests to every name below good.test, only api.good.test',
      'http narrowed: May no longer send HTTP requests to b.test',
      'http narrowed: May no longer send requests with HEAD',
      'http narrowed: May now follow at most 0 redirects, before: follow at most 10 redirects',
      'fs_write removed: No more: May create, change and delete files in out',
    ])
  })

  const [a, b] = ['a', 'b'].map((digit) => digit.repeat(64)) as [string, string]
  const calling = (...hashes: (string | null)[]): ToolPolicy => ({
    tools: { callees: hashes.map((hash) => ({ name: 'x', hash })) },
  })
  test.each<readonly [ToolPolicy, ToolPolicy, readonly string[]]>([
    [calling(a), calling(b), ['changed']],
    [calling(a), calling(null), ['widened']],
    [calling(null), calling(a), ['narrowed']],
    [calling(a), calling(a, b), ['widened']],
    [calling(a, b), calling(a), ['narrowed']],
    [{}, calling(a), ['added']],
    [calling(a), {}, ['removed']],
  ])('of callees %j and %j is %j', (before, after, changes) => {
    expect(diffPolicies(before, after).map(({ change }) => change)).toEqual(changes)
  })
})
