import fc from 'fast-check'
import { httpMethods, type ToolPolicy } from '../src/policies/tool-policy.ts'

// Few names, so that policies have things in common.
const steps = fc.array(fc.constantFrom('a', 'b', 'ab', '.env', '.vimrc'), {
  minLength: 1,
  maxLength: 3,
})
const paths = fc.oneof(
  steps.map((found) => found.join('/')),
  steps.map((found) => `/${found.join('/')}`),
  steps.map((found) => `./${found.join('//')}/`),
  fc.constant('.'),
)

const names = fc
  .array(fc.constantFrom('x', 'y', 'xy'), { minLength: 0, maxLength: 2 })
  .map((labels) => [...labels, 'good', 'test'].join('.'))
const hosts = fc.oneof(
  names,
  names.map((name) => `*.${name}`),
  fc.constantFrom('*', '127.0.0.1', '[::1]', 'localhost'),
)
const origins = fc
  .tuple(fc.constantFrom('', 'https://', 'http://'), hosts, fc.constantFrom('', ':8080', ':*'))
  .map((parts) => parts.join(''))

const ranges = fc.oneof(
  fc.constantFrom('10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24', '10.1.2.3', '10.1.2.3/32'),
  fc.constantFrom('169.254.0.0/16', '169.254.169.254', '169.0.0.0/8'),
  fc.constantFrom('10.0.0.0/16', '10.2.0.0/16', 'fc00::/7', 'fd00::/8', 'fd00::1', 'fd00::/16'),
)
const limit = fc.option(fc.constantFrom(1, 1_000, 1_048_576, 10_485_760, 20_000_000), {
  nil: undefined,
})
const hash = fc.constantFrom(null, 'a'.repeat(64), 'b'.repeat(64))

/** A list without two that say the same; what that means differs from list to list. */
const list = <Item>(item: fc.Arbitrary<Item>, best: (item: Item) => string): fc.Arbitrary<Item[]> =>
  fc.uniqueArray(item, { minLength: 1, maxLength: 4, selector: best })

const files = fc.record(
  {
    paths: list(paths, (path) => path.replaceAll(/^\.\/|\/$/g, '').replaceAll('//', '/')),
    maxBytes: limit,
  },
  { requiredKeys: ['paths'] },
)

/** Policies that can be read. */
export const policies: fc.Arbitrary<ToolPolicy> = fc.record(
  {
    fs_read: files,
    fs_write: files,
    http: fc.record(
      {
        origins: list(origins, (origin) => origin.replace('https://', '')),
        methods: list(fc.constantFrom(...httpMethods), (method) => method),
        privateAddresses: list(ranges, (range) => range.replace('/32', '')),
        maxRequestBytes: limit,
        maxResponseBytes: limit,
        maxRedirects: fc.constantFrom(0, 3, 10, 20),
      },
      { requiredKeys: ['origins'] },
    ),
    secrets: fc.record({ names: list(fc.constantFrom('A', 'B', 'C'), (name) => name) }),
    tools: fc.record({
      callees: list(
        fc.record({ name: fc.constantFrom('one', 'two'), hash }),
        (callee) => `${callee.name}${callee.hash ?? ''}`,
      ),
    }),
  },
  { requiredKeys: [] },
)

/** Something that a tool may try. */
export type Attempt =
  | { readonly kind: 'read' | 'write'; readonly path: readonly string[]; readonly bytes: number }
  | {
      readonly kind: 'http'
      readonly url: string
      readonly method: string
      readonly address: string | undefined
      readonly bytes: number
      readonly redirects: number
    }
  | { readonly kind: 'secret'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly hash: string }

const bytes = fc.constantFrom(1, 500, 1_000_000, 5_000_000, 15_000_000, 20_000_000)

/** Attempts of which policies allow some. */
export const attempts: fc.Arbitrary<Attempt> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('read', 'write'),
    path: fc.tuple(fc.constantFrom('', '/'), steps).map(([root, found]) => [root, ...found]),
    bytes,
  }),
  fc.record({
    kind: fc.constant('http'),
    url: fc
      .tuple(
        fc.constantFrom('https', 'http'),
        fc.oneof(names, fc.constantFrom('127.0.0.1', '[::1]', 'localhost', 'other.test')),
        fc.constantFrom('', ':8080', ':81'),
      )
      .map(([scheme, host, port]) => `${scheme}://${host}${port}/`),
    method: fc.constantFrom(...httpMethods),
    address: fc.constantFrom(
      undefined,
      '10.1.2.3',
      '10.1.2.4',
      '10.2.0.1',
      'fd00::1',
      '169.254.169.254',
    ),
    bytes,
    redirects: fc.constantFrom(0, 3, 10, 11, 20),
  }),
  fc.record({ kind: fc.constant('secret'), name: fc.constantFrom('A', 'B', 'C') }),
  fc.record({
    kind: fc.constant('call'),
    name: fc.constantFrom('one', 'two'),
    hash: fc.constantFrom('a'.repeat(64), 'b'.repeat(64)),
  }),
) as fc.Arbitrary<Attempt>
