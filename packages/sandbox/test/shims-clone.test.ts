import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { isSame } from './both-worlds.ts'
import { GuestRunner } from './guest-runner.ts'

const guest = new GuestRunner()
afterAll(() => guest.close())

const { value: anySource } = fc.letrec<{ value: string; leaf: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    tie('leaf'),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', '1', 'constructor'), tie('value')), {
        maxLength: 3,
      })
      .map((fields) => `({ ${fields.map(([key, value]) => `"${key}": ${value}`).join(', ')} })`),
    fc
      .array(fc.tuple(tie('value'), tie('value')), { maxLength: 2 })
      .map((entries) => `new Map([${entries.map((entry) => `[${entry.join(',')}]`).join(',')}])`),
    fc.array(tie('value'), { maxLength: 2 }).map((items) => `new Set([${items.join(',')}])`),
    tie('value').map((value) => `new Error("e", { cause: ${value} })`),
  ),
  leaf: fc.constantFrom(
    'null',
    'undefined',
    'true',
    '1',
    '-0',
    'NaN',
    '1n',
    '"text"',
    'new Date(5)',
    '/x/giy',
    'new Date(NaN)',
    'Object(1)',
    'Object("s")',
    'Object(false)',
    'Object(1n)',
    '[1,,3]',
    'new Uint8Array([1,2]).subarray(1)',
    'new ArrayBuffer(3)',
    'new Float64Array([0.5])',
    'new DataView(new ArrayBuffer(4), 1)',
    'new BigInt64Array([5n])',
    'new RangeError("r")',
    'new ArrayBuffer(2, { maxByteLength: 8 })',
    'new DOMException("m", "AbortError")',
    'Object.assign(new TypeError("t"), { name: "Own", more: 1 })',
    'Object.create({ a: 1 })',
    'Object.assign([1], { more: 2 })',
    'new (class A { b = 1 })()',
    'new AggregateError([1])',
    '(() => 1)',
    'Symbol("s")',
    'new WeakMap()',
    'Promise.resolve()',
    '(function* () {})()',
    'Object.defineProperty({}, "a", { get: () => 5, enumerable: true })',
    'globalThis.Math',
    'Object.assign(Object.create(null), { a: 1 })',
    '({ [Symbol("s")]: 1, a: 2 })',
  ),
}))

const describeDeep = `(source) => {
  const value = (0, eval)("(" + source + ")")
  const seen = []
  const show = (one) => {
    if (typeof one === "bigint") return one + "n"
    if (typeof one === "function" || typeof one === "symbol") return typeof one
    if (typeof one !== "object" || one === null) return Object.is(one, -0) ? "-0" : String(one)
    if (seen.includes(one)) return "#" + seen.indexOf(one)
    seen.push(one)
    const kind = [Object.prototype.toString.call(one), Object.getPrototypeOf(one)?.constructor?.name]
    if (one instanceof Map || one instanceof Set) return [kind, ...[...one].map((item) => Array.isArray(item) && one instanceof Map ? item.map(show) : show(item))]
    if (one instanceof Date) return [kind, one.getTime()]
    if (one instanceof RegExp) return [kind, String(one), one.lastIndex]
    if (one instanceof DOMException) return [kind, one.name, one.message, one.code]
    if (one instanceof Error) return [kind, one.name, one.message, Object.hasOwn(one, "cause"), show(one.cause), Object.keys(one)]
    if (one instanceof ArrayBuffer) return [kind, one.byteLength, one.resizable, one.maxByteLength, ...new Uint8Array(one)]
    if (ArrayBuffer.isView(one)) return [kind, one.byteOffset, one.byteLength, show(one.buffer)]
    return [kind, one.length ?? "", String(one.valueOf?.() === one ? "" : one), ...Reflect.ownKeys(one).filter((key) => typeof key === "string" && key !== "length").map((key) => [key, show(one[key])])]
  }
  return show(structuredClone(value))
}`

test('structuredClone copies what that of Node copies, and refuses what it refuses', async () => {
  await expect(isSame(guest, anySource, describeDeep)).resolves.toBe(true)
})

test('structuredClone keeps cycles and what is shared', async () => {
  const { value } = await guest.run(`
    const shared = { n: 1 };
    const start = { shared, map: new Map(), list: [shared], error: new Error("e") };
    start.self = start; start.map.set(start, start); start.error.cause = start;
    const buffer = new ArrayBuffer(4);
    start.views = [new Uint8Array(buffer), new Uint16Array(buffer)];
    const copy = structuredClone(start);
    copy.views[0][0] = 7;
    return [copy !== start, copy.self === copy, copy.map.get(copy) === copy, copy.shared === copy.list[0],
      copy.shared !== shared, copy.error.cause === copy, copy.views[1][0], new Uint8Array(buffer)[0]];
  `)
  expect(value).toEqual([true, true, true, true, true, true, 7, 0])
})

test('structuredClone moves buffers that are transferred, once all else is copied', async () => {
  const cases = fc.constantFrom(
    '({ value: b, transfer: [b] })',
    '({ value: new Uint8Array(b, 1), transfer: [b] })',
    '({ value: 1, transfer: [b] })',
    '({ value: () => 1, transfer: [b] })',
    '({ value: b, transfer: [b, b] })',
    '({ value: 1, transfer: [{}] })',
    '({ value: b, transfer: [] })',
    '(b.transfer(), { value: b, transfer: [] })',
    '(b.transfer(), { value: b, transfer: [b] })',
  )
  await expect(
    isSame(
      guest,
      cases,
      `(source) => {
      const b = new Uint8Array([1, 2, 3]).buffer
      const { value, transfer } = eval(source)
      let name = ""
      let copy
      try { copy = structuredClone(value, { transfer }) } catch (error) { name = error.name }
      return [name, b.detached, copy?.byteLength ?? copy, copy === value]
    }`,
    ),
  ).resolves.toBe(true)
})

test('a function in a value is named as what could not be copied', async () => {
  const { value } = await guest.run(
    'try { structuredClone({ a: [() => 1] }); } catch (error) { return [error.name, error.code, error.message, error instanceof DOMException]; }',
  )
  expect(value).toEqual(['DataCloneError', 25, 'A function could not be cloned.', true])
})
