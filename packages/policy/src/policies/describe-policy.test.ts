import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { policies } from '../../test/arbitrary-policy.ts'
import { describePolicy } from './describe-policy.ts'
import { narrowPolicies } from './narrow-policies.ts'
import type { ToolPolicy } from './tool-policy.ts'

describe('a policy in sentences', () => {
  test.each<readonly [ToolPolicy, readonly string[]]>([
    [{}, ['May touch nothing outside itself']],
    [{ http: { origins: ['api.example.com'] } }, ['May send HTTP requests to api.example.com']],
    [
      { http: { origins: ['*', 'http://localhost:3000'], methods: ['HEAD', 'GET'] } },
      [
        'May send HTTP requests to every public host and localhost (port 3000, not encrypted), only with GET and HEAD',
      ],
    ],
    [
      {
        http: {
          origins: ['*.wild.test:*', 'http://a.test', 'b.test:8443'],
          privateAddresses: ['10.1.0.0/16', 'fd00::1'],
          maxRequestBytes: 5_242_880,
          maxResponseBytes: 1_000,
          maxRedirects: 3,
        },
      },
      [
        'May send HTTP requests to every name below wild.test (every port), b.test (port 8443) and a.test (not encrypted)',
        'May reach through them the private addresses 10.1.0.0/16 and fd00::1',
        'May send at most 5 MiB in a request',
        'May receive at most 1000 bytes in an answer',
        'May follow at most 3 redirects',
      ],
    ],
    [
      { http: { origins: ['https://*:*', 'http://*:*'] } },
      ['May send HTTP requests to every public host (every port, encrypted or not)'],
    ],
    [
      { http: { origins: ['http://a.test', 'a.test', 'http://b.test:443', 'b.test'] } },
      [
        'May send HTTP requests to a.test (encrypted or not), b.test and b.test (port 443, not encrypted)',
      ],
    ],
    [
      { http: { origins: ['a.test'], maxRedirects: 0 } },
      ['May send HTTP requests to a.test', 'May follow no redirects'],
    ],
    [
      {
        fs_read: { paths: ['./data//reports/', '/srv/x y'] },
        fs_write: { paths: ['.'], maxBytes: 1 },
      },
      [
        'May read files in "/srv/x y" and data/reports',
        'May create, change and delete files in the base folder, each of at most 1 byte',
      ],
    ],
    [
      {
        secrets: { names: ['B', 'A'] },
        tools: {
          callees: [
            { name: 'x', hash: 'a'.repeat(64) },
            { name: 'y', hash: null },
          ],
        },
      },
      [
        'May use the secret A',
        'May use the secret B',
        `May call the tool x (exactly version hash ${'a'.repeat(64)})`,
        'May call the tool y (whatever version is active)',
      ],
    ],
  ])('%j', (policy, sentences) => {
    expect(describePolicy(policy)).toEqual(sentences)
  })

  test('says where secrets may be sent, and never their values', () => {
    const secrets = {
      A: {
        value: 'value-of-a',
        hosts: ['api.good.test', '*.x.test'],
        methods: ['get'],
        paths: ['/v1/', '/v2'],
        headers: ['X-Key'],
      },
      B: { value: 'value-of-b', hosts: ['http://localhost:80'] },
    }
    expect(describePolicy({ secrets: { names: ['A', 'B', 'toString'] } }, { secrets })).toEqual([
      'May use the secret A (only to api.good.test and every name below x.test, with GET, at /v1 and /v2 and below, in the header x-key)',
      'May use the secret B (only to localhost (not encrypted))',
      'May use the secret toString (which is not set up)',
    ])
  })

  test('is the same for policies that allow the same', () => {
    fc.assert(
      fc.property(policies, (policy) => {
        expect(describePolicy(policy)).toEqual(describePolicy(narrowPolicies(policy, policy)))
      }),
    )
  })
})

test('warns of names that are usually protected', () => {
  const paths = ['a/.env', 'a/.vscode', 'b']
  expect(describePolicy({ fs_read: { paths }, fs_write: { paths } })).toEqual([
    'May read files in a/.env (which usually holds secrets), a/.vscode and b',
    'May create, change and delete files in a/.env (which usually holds secrets or steers programs), a/.vscode (which usually holds secrets or steers programs) and b',
  ])
})

test('names the address at which a cloud gives out credentials for what it is', () => {
  const http = { origins: ['*'], privateAddresses: ['169.254.0.0/16', '169.254.169.254'] }
  expect(describePolicy({ http })).toEqual([
    'May send HTTP requests to every public host',
    'May reach through them the private addresses 169.254.0.0/16 and 169.254.169.254 (where a cloud gives out credentials)',
  ])
})

describe('text that wants to mislead', () => {
  test.each([
    ['data and may touch nothing else', '"data and may touch nothing else"'],
    ['data, logs', '"data, logs"'],
    ['data" and nothing', String.raw`"data\" and nothing"`],
    ['data.', '"data."'],
    ['da\u00adta', String.raw`"da\u{ad}ta"`],
    ['da\u200bta', String.raw`"da\u{200b}ta"`],
    ['da\u00a0ta', String.raw`"da\u{a0}ta"`],
    ['da\u3164ta', String.raw`"da\u{3164}ta"`],
    ['da\u{e0041}ta', String.raw`"da\u{e0041}ta"`],
    ['\u05d0/etc', String.raw`"\u{5d0}/etc"`],
    ['dаta', '"dаta"'],
  ])('stands in quotes with everything invisible escaped: %j', (path, shown) => {
    expect(describePolicy({ fs_read: { paths: [path] } })).toEqual([`May read files in ${shown}`])
  })

  test.each(['da\nta', 'da\u0000ta', 'da\u001b[2Jta', 'da\u202eta', 'da\u2066ta', 'da\u2028ta'])(
    'that no path needs is refused: %j',
    (path) => {
      expect(() => describePolicy({ fs_read: { paths: [path] } })).toThrow(
        /^[^\p{Cc}\u202e\u2066\u2028]*\\u\{[^\p{Cc}\u202e\u2066\u2028]*$/u,
      )
    },
  )

  test('in hosts is shown as it is sent', () => {
    expect(describePolicy({ http: { origins: ['аpple.test'] } })).toEqual([
      'May send HTTP requests to xn--pple-43d.test',
    ])
  })

  test('never breaks a sentence, whatever a path holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), (path) => {
        let shown: string
        try {
          shown = describePolicy({ fs_read: { paths: [path] } }).join('\n')
        } catch (error) {
          shown = (error as Error).message
        }
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u)
      }),
      { numRuns: 500 },
    )
  })
})
