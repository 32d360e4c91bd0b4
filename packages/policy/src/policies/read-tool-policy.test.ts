import { ToolError } from '@toolcrib/registry'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { policies } from '../../test/arbitrary-policy.ts'
import { readToolPolicy } from './read-tool-policy.ts'
import { toolPolicySchema } from './tool-policy.ts'

function readError(value: unknown): ToolError<'POLICY_INVALID'> {
  try {
    readToolPolicy(value)
  } catch (error) {
    if (ToolError.is(error, 'POLICY_INVALID')) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

test('a policy is read as it stands', () => {
  fc.assert(
    fc.property(policies, (policy) => {
      expect(readToolPolicy(policy)).toEqual(policy)
    }),
  )
})

describe('what is no policy', () => {
  const hash = 'a'.repeat(64)
  test.each<readonly [unknown, readonly string[]]>([
    [null, ['expected object']],
    ['x', ['expected object', '"x"']],
    [[], ['expected object']],
    [{ network: {} }, ['does not know "network"']],
    [{ ['a\u202e']: 1 }, [String.raw`does not know "a\u{202e}"`]],
    [JSON.parse('{"__proto__":{"http":{"origins":["*"]}}}'), ['does not know "__proto__"']],
    [{ http: {} }, ['http.origins', 'is required']],
    [{ http: { origins: [] } }, ['http.origins', 'must not be empty']],
    [{ http: { origins: 'a.test' } }, ['http.origins', 'expected array', '"a.test"']],
    [{ http: { origins: [5] } }, ['http.origins[0]', 'expected string']],
    [{ http: { origins: ['*.com'] } }, ['http.origins[0]', '"*.com"', 'top-level domain']],
    [
      { http: { origins: ['a.test', 'https://A.test:443'] } },
      ['http.origins[1]', 'same as item 0'],
    ],
    [{ http: { origins: ['a.test'], methods: [] } }, ['http.methods', 'must not be empty']],
    [{ http: { origins: ['a.test'], methods: ['get'] } }, ['http.methods[0]', 'GET', '"get"']],
    [{ http: { origins: ['a.test'], methods: ['GET', 'GET'] } }, ['http.methods[1]']],
    [{ http: { origins: ['a.test'], maxRedirects: 51 } }, ['http.maxRedirects', '50', '"51"']],
    [{ http: { origins: ['a.test'], maxRedirects: -1 } }, ['http.maxRedirects']],
    [{ http: { origins: ['a.test'], maxResponseBytes: 0 } }, ['http.maxResponseBytes']],
    [{ http: { origins: ['a.test'], maxResponseBytes: 1.5 } }, ['http.maxResponseBytes']],
    [{ http: { origins: ['a.test'], maxRequestBytes: Infinity } }, ['http.maxRequestBytes']],
    [
      { http: { origins: ['a.test'], privateAddresses: ['10.1'] } },
      ['privateAddresses[0]', '"10.1"'],
    ],
    [{ fs_read: { paths: [''] } }, ['fs_read.paths[0]', 'empty']],
    [{ fs_read: { paths: ['x'.repeat(4_097)] } }, ['fs_read.paths[0]', '4096']],
    [{ fs_write: { paths: ['a'], maxBytes: '5' } }, ['fs_write.maxBytes', '"5"']],
    [{ fs_write: { paths: ['a', './a/'] } }, ['fs_write.paths[1]', 'same as item 0']],
    [{ secrets: { names: ['1A'] } }, ['secrets.names[0]', '"1A"', '"API_TOKEN"']],
    [{ secrets: { names: ['A\n'] } }, [String.raw`"A\u{a}"`]],
    [{ secrets: { names: ['A', 'A'] } }, ['secrets.names[1]', 'same as item 0']],
    [{ secrets: { names: ['A'.repeat(129)] } }, ['secrets.names[0]', '128']],
    [{ tools: { callees: [{ name: 'x' }] } }, ['tools.callees[0].hash', 'is required']],
    [{ tools: { callees: [{ name: 'x y', hash }] } }, ['tools.callees[0].name', '"x y"']],
    [{ tools: { callees: [{ name: 'then', hash }] } }, ['tools.callees[0].name', 'reserved']],
    [{ tools: { callees: [{ name: 'x', hash: 'A'.repeat(64) }] } }, ['tools.callees[0].hash']],
    [{ tools: { callees: [{ name: 'x', hash, also: 1 }] } }, ['tools.callees[0]', '"also"']],
    [
      {
        tools: {
          callees: [
            { name: 'x', hash },
            { name: 'x', hash },
          ],
        },
      },
      ['tools.callees[1]', 'same as item 0'],
    ],
  ])('%j is refused with the field, the rule and the value', (value, texts) => {
    const { message } = readError(value)
    for (const text of texts) expect(message).toContain(text)
  })

  test('is refused in a list that is one too long', () => {
    const names = Array.from({ length: 101 }, (_, index) => `N${index}`)
    expect(readError({ secrets: { names } }).message).toContain('100')
    expect(readToolPolicy({ secrets: { names: names.slice(1) } }).secrets?.names.length).toBe(100)
  })

  test('is told of with ten problems at most', () => {
    const names = Array.from({ length: 12 }, (_, index) => `${index} `)
    const { message, data } = readError({ secrets: { names } })
    expect(message).toContain('secrets.names[9]')
    expect(message).not.toContain('secrets.names[10]')
    expect(message).toContain('and 2 more')
    expect(data['issues']).toHaveLength(10)
  })

  test('may throw when it is looked at', () => {
    const value = {
      get http(): never {
        throw new RangeError('no')
      },
    }
    const error = readError(value)
    expect(error.message).toContain('plain data')
    expect(error.cause).toBeInstanceOf(RangeError)
  })
})

test('limits are taken to their edges', () => {
  const policy = {
    fs_read: { paths: ['x'.repeat(4_096)], maxBytes: 1 },
    http: { origins: ['a.test'], maxRedirects: 50, maxRequestBytes: Number.MAX_SAFE_INTEGER },
    secrets: { names: ['A'.repeat(128)] },
    tools: { callees: [{ name: 'x'.repeat(64), hash: null }] },
  }
  expect(readToolPolicy(policy)).toEqual(policy)
  expect(readToolPolicy({ http: { origins: ['a.test'], maxRedirects: 0 } })).toBeDefined()
})

test('a value is given once', () => {
  const { message } = readError({ http: { origins: ['*.com'], methods: ['get'] } })
  expect(message.match(/got/g)).toHaveLength(1)
})

test('the schema alone refuses the same', () => {
  for (const value of [{ http: { origins: ['*.com'] } }, { fs_read: { paths: ['a/../b'] } }])
    expect(toolPolicySchema.safeParse(value).success).toBe(false)
})
