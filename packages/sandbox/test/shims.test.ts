import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { anyBytes, isSame } from './both-worlds.ts'
import { GuestRunner } from './guest-runner.ts'

const guest = new GuestRunner()
afterAll(() => guest.close())

test('digests are those of Node', async () => {
  const { value } = await guest.run(
    `const all = [];
     for (const { bytes, name } of input) {
       const hash = await crypto.subtle.digest(name, new Uint8Array(bytes));
       all.push(new Uint8Array(hash).toHex());
     }
     return all;`,
    fc.sample(fc.record({ bytes: anyBytes, name: fc.constantFrom('SHA-1', 'sha-256') }), 40),
  )
  expect(value).toHaveLength(40)
  const { value: known } = await guest.run(
    `const all = [];
     for (const name of ["SHA-1", "SHA-256", { name: "SHA-384" }, "sha-512"]) {
       const view = new DataView(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2);
       all.push(new Uint8Array(await crypto.subtle.digest(name, view)).toHex());
     }
     return all;`,
  )
  expect(known).toEqual(
    ['sha1', 'sha256', 'sha384', 'sha512'].map((name) =>
      createHash(name).update(Buffer.of(2, 3)).digest('hex'),
    ),
  )
})

test('random bytes fill integers of every width, up to 65,536 bytes', async () => {
  const kinds = fc.constantFrom(
    'new Uint8Array(65536)',
    'new Uint8Array(65537)',
    'new Int32Array(3)',
    'new BigUint64Array(2)',
    'new Float32Array(2)',
    'new DataView(new ArrayBuffer(2))',
    'new Uint8Array(0)',
    '[1, 2]',
    'null',
  )
  await expect(
    isSame(
      guest,
      kinds,
      '(source) => { const v = (0, eval)(source); const same = crypto.getRandomValues(v) === v; return [same, v.length < 100 || new Set(v.subarray(0, 2000)).size > 200]; }',
    ),
  ).resolves.toBe(true)
  const { value } = await guest.run(
    'return [crypto.randomUUID(), crypto.getRandomValues(new Uint16Array(8).subarray(2, 4)).length];',
  )
  expect(value).toEqual([expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f\-]{21}$/v), 2])
})

test('an unknown digest is refused by name', async () => {
  const { value } = await guest.run(
    'return crypto.subtle.digest("MD5", new Uint8Array()).catch((error) => [error.name, error.message]);',
  )
  expect(value).toEqual([
    'NotSupportedError',
    "The digest 'MD5' is not supported: use SHA-1, SHA-256, SHA-384 or SHA-512",
  ])
})

test('timers run in the order of their delays, intervals until they are cleared', async () => {
  const { value } = await guest.run(`
    const seen = [];
    setTimeout((...values) => seen.push(values.join()), 30, "c", 1);
    setTimeout(() => seen.push("b"), 5);
    setTimeout(() => seen.push("a"));
    clearTimeout(setTimeout(() => seen.push("never"), 1));
    queueMicrotask(() => seen.push("at once"));
    const id = setInterval(() => { seen.push("tick"); if (seen.filter((one) => one === "tick").length === 3) clearInterval(id); }, 10);
    await ctx.sleep(150);
    return [seen.filter((one) => one !== "tick"), seen.filter((one) => one === "tick").length, typeof id];
  `)
  expect(value).toEqual([['at once', 'a', 'b', 'c,1'], 3, 'number'])
})

test('a timer takes a function and nothing else', async () => {
  const { value } = await guest.run(
    'try { setTimeout("globalThis.x = 1", 0); } catch (error) { return [error.name, error.message]; }',
  )
  expect(value).toEqual(['TypeError', 'setTimeout takes a function, not a string'])
})

test('an error in a timer ends the call and says so', async () => {
  const ended = guest.run(
    'setTimeout(() => { throw new RangeError("late") }, 1); await ctx.sleep(500);',
  )
  await expect(ended).rejects.toThrow('guest-error: late')
})

test('the clock of performance begins with its first reading and never goes back', async () => {
  const { value } = await guest.run(`
    const first = performance.now();
    let last = first;
    let isRising = true;
    for (let i = 0; i < 1000; i++) { const now = performance.now(); isRising &&= now >= last && Number.isInteger(now); last = now; }
    await ctx.sleep(20);
    return [first, isRising, performance.now() >= 15, Math.abs(performance.timeOrigin - Date.now()) < 5000];
  `)
  expect(value).toEqual([0, true, true, true])
})

test('the console writes to the log of the call, whatever it is given', async () => {
  const { logs } = await guest.run(`
    const loop = { a: 1 }; loop.loop = loop;
    console.log("text", 1, { a: [true, null, "x"], b: undefined }, 2n);
    console.warn(loop);
    console.error({ get a() { throw new Error("no"); } }, Symbol("s"), () => 1);
    console.debug({ a: { b: { c: { d: { e: 1 } } } } });
    console.info(new Array(60).fill(0));
    console.assert(true, "never");
    console.assert(false, "why");
    console.log(new TypeError("bad").message);
    console.groupEnd();
  `)
  expect(logs).toEqual([
    { level: 'info', message: 'text 1 { a: [true, null, "x"], b: undefined } 2n' },
    { level: 'warn', message: '{ a: 1, loop: [circular] }' },
    { level: 'error', message: '(a value that cannot be shown) [symbol] [function]' },
    { level: 'debug', message: '{ a: { b: { c: { d: {…} } } } }' },
    { level: 'info', message: `[${Array.from({ length: 50 }, () => '0').join(', ')}, … 10 more]` },
    { level: 'error', message: 'Assertion failed why' },
    { level: 'info', message: 'bad' },
  ])
})

test('one message of the console has at most 8,192 characters', async () => {
  const { logs } = await guest.run(
    'console.log("x".repeat(8_193)); console.log({ a: "y".repeat(9_000) });',
  )
  expect(logs.map(({ message }) => message.length)).toEqual([8_192, 8_192])
})

test('an error in the console comes with where it was made', async () => {
  const { logs } = await guest.run('console.error(new TypeError("bad"));')
  expect(logs[0]?.message).toMatch(/^TypeError: bad\n +at /v)
})

test('there is no fetch, and calling it names what there is', async () => {
  const { value } = await guest.run(`
    const known = [typeof fetch, fetch == null, globalThis.fetch ? 1 : 0];
    try { await fetch("https://a.test/"); } catch (error) { return [...known, error.name, error.message]; }
  `)
  expect(value).toEqual([
    'undefined',
    true,
    0,
    'ReferenceError',
    'fetch is not defined: use ctx.http.request',
  ])
})

test('numbers and dates are written without Intl, in one way for every locale', async () => {
  const { value } = await guest.run(
    'return [typeof Intl, (1234567.5).toLocaleString("de-DE"), new Date(0).toLocaleDateString("de-DE"), "ä".localeCompare("b")];',
  )
  expect(value).toEqual(['undefined', '1234567.5', '01/01/1970', 1])
})
