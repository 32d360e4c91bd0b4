/** Values that break naive code which writes or reads whatever a tool gives. Each is made anew for each use. */
export const hostileValues: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  'empty text': () => '',
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  '-Infinity': () => Number.NEGATIVE_INFINITY,
  '-0': () => -0,
  'largest number': () => Number.MAX_VALUE,
  BigInt: () => 2n ** 70n,
  'nested BigInt': () => ({ a: [{ b: 1n }] }),
  symbol: () => Symbol('s'),
  'symbol key': () => ({ [Symbol('s')]: 1 }),
  function: () => () => 1,
  class: () => class {},
  'NUL in text': () => 'a\u0000b',
  'NUL in key': () => ({ 'a\u0000b': 1 }),
  'lone high surrogate': () => '\ud83d',
  'lone low surrogate': () => ({ '\ude00': '\ude00' }),
  'line separators': () => '\u2028\u2029',
  'bidirectional override': () => '\u202eevil',
  'text that looks like JSON': () => '{"a":',
  'undefined in an object': () => ({ a: undefined, b: 1 }),
  'undefined in a list': () => [undefined, 1],
  'list with holes': () => Array.from({ length: 3 }).fill(1, 2),
  'huge sparse list': () => {
    const list: unknown[] = []
    list[100_000] = 1
    return list
  },
  'list with properties': () => Object.assign([1, 2], { extra: 3 }),
  cycle: () => {
    const value: Record<string, unknown> = {}
    value['self'] = value
    return value
  },
  'cycle through a list': () => {
    const value: unknown[] = []
    value.push({ value })
    return value
  },
  'cycle through toJSON': () => {
    const value = { toJSON: (): unknown => ({ value }) }
    return value
  },
  'shared reference': () => {
    const shared = { a: 1 }
    return [shared, shared]
  },
  'throwing getter': () => ({
    get a(): number {
      throw new Error('getter')
    },
  }),
  'getter that throws nothing': () => ({
    get a(): number {
      throw undefined as never
    },
  }),
  'getter that changes its mind': () => {
    let reads = 0
    return {
      get a(): unknown {
        reads += 1
        return reads > 1 ? new Map([[1, 2]]) : 1
      },
    }
  },
  'throwing toJSON': () => ({
    toJSON: () => {
      throw new Error('toJSON')
    },
  }),
  'toJSON that gives undefined': () => ({ toJSON: () => undefined }),
  'toJSON that gives a BigInt': () => ({ toJSON: () => 1n }),
  'toJSON that is no function': () => ({ toJSON: 1 }),
  'toJSON on a list': () => Object.assign([1], { toJSON: () => 'replaced' }),
  'hidden toJSON': () => Object.defineProperty({ a: 1 }, 'toJSON', { value: () => 'replaced' }),
  Map: () => new Map([['a', 1]]),
  Set: () => new Set([1]),
  WeakMap: () => new WeakMap(),
  Date: () => new Date(0),
  'invalid Date': () => new Date(Number.NaN),
  RegExp: () => /a/,
  Error: () => new Error('as a value', { cause: new Error('cause') }),
  'nested Error': () => ({ error: new TypeError('inside') }),
  URL: () => new URL('https://example.com/a'),
  'typed array': () => new Uint8Array([1, 2, 3]),
  ArrayBuffer: () => new ArrayBuffer(8),
  'boxed number': () => Object(1) as unknown,
  'boxed text': () => Object('a') as unknown,
  'nested promise': () => ({ later: Promise.resolve(1) }),
  'object without prototype': () => Object.assign(Object.create(null) as object, { a: 1 }),
  'own __proto__': () => JSON.parse('{"__proto__":{"polluted":true},"a":1}') as unknown,
  'own constructor': () => ({ constructor: 'x', hasOwnProperty: 1, toString: 2, valueOf: 3 }),
  'class instance': () =>
    new (class Account {
      readonly id = 1
      readonly #secret = 2
      sum(): number {
        return this.id + this.#secret
      }
    })(),
  'proxy that throws': () =>
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('get')
        },
        has: () => {
          throw new Error('has')
        },
        ownKeys: () => {
          throw new Error('ownKeys')
        },
        getPrototypeOf: () => {
          throw new Error('getPrototypeOf')
        },
      },
    ),
  'revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  },
  'proxy of a list': () => new Proxy([1, 2], {}),
  'proxy with endless keys': () => new Proxy({}, { get: (_target, key) => String(key) }),
  'deep nesting': () => {
    let value: unknown = 1
    for (let depth = 0; depth < 20_000; depth += 1) value = { value }
    return value
  },
  'deep list': () => {
    let value: unknown = 1
    for (let depth = 0; depth < 20_000; depth += 1) value = [value]
    return value
  },
  'many keys': () =>
    Object.fromEntries(Array.from({ length: 20_000 }, (_, key) => [`k${key}`, key])),
  'frozen object': () => Object.freeze({ a: Object.freeze([1]) }),
  generator: () =>
    (function* values() {
      yield 1
    })(),
  globalThis: () => globalThis,
}
