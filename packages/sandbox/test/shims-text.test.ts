import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { anyBytes, anyText, isSame } from './both-worlds.ts'
import { GuestRunner } from './guest-runner.ts'

const guest = new GuestRunner()
afterAll(() => guest.close())

test('TextEncoder gives the bytes that Node gives', async () => {
  await expect(
    isSame(guest, anyText, '(text) => [...new TextEncoder().encode(text)]'),
  ).resolves.toBe(true)
})

test('encodeInto writes and counts as Node does', async () => {
  const into = `({ text, room }) => {
    const target = new Uint8Array(room + 2)
    const counts = new TextEncoder().encodeInto(text, target.subarray(1, 1 + room))
    return [counts.read, counts.written, ...target]
  }`
  await expect(isSame(guest, fc.record({ text: anyText, room: fc.nat(12) }), into)).resolves.toBe(
    true,
  )
})

test('TextDecoder gives the text that Node gives, whatever the options', async () => {
  const options = fc.record({ bytes: anyBytes, fatal: fc.boolean(), ignoreBOM: fc.boolean() })
  await expect(
    isSame(
      guest,
      options,
      '({ bytes, ...options }) => new TextDecoder("utf-8", options).decode(new Uint8Array(bytes))',
    ),
  ).resolves.toBe(true)
})

test('TextDecoder takes bytes in parts, cut anywhere', async () => {
  const decode = `({ parts, ...options }) => {
    const decoder = new TextDecoder("utf8", options)
    return [...parts.map((part) => decoder.decode(new Uint8Array(part), { stream: true })), decoder.decode()]
  }`
  // Node 24 takes a mark of byte order out of later parts as well, against the standard: these have none.
  const part = anyBytes.map((bytes) => bytes.slice(0, 3))
  const later = part.map((bytes) => bytes.map((byte) => (byte === 0xbb ? 0xbc : byte)))
  const cut = fc.record({
    parts: fc
      .tuple(part, fc.array(later, { maxLength: 4 }))
      .map(([first, rest]) => [first, ...rest]),
    ignoreBOM: fc.boolean(),
  })
  await expect(isSame(guest, cut, decode)).resolves.toBe(true)
})

test('a mark of byte order goes at the beginning of a stream, and stays after it', async () => {
  const { value } = await guest.run(`
    const read = (...parts) => {
      const decoder = new TextDecoder()
      return parts.map((part) => decoder.decode(new Uint8Array(part), { stream: true }))
    }
    return [read([0xef], [0xbb], [0xbf, 65]), read([65], [0xef, 0xbb, 0xbf]), read([0xf0, 0x9f], [0xef, 0xbb, 0xbf])]
  `)
  expect(value).toEqual([
    ['', '', 'A'],
    ['A', '\ufeff'],
    ['', '\ufffd\ufeff'],
  ])
})

test('TextDecoder reads every kind of view, and refuses what is none', async () => {
  const kinds = fc.constantFrom(
    'new Uint8Array([65, 66])',
    'new Uint16Array([16705])',
    'new DataView(new Uint8Array([65, 66, 67]).buffer, 1)',
    'new Uint8Array([65, 66, 67]).subarray(1)',
    'new Uint8Array([65]).buffer',
    'undefined',
    '"text"',
    '5',
    'null',
    '[]',
  )
  await expect(
    isSame(guest, kinds, '(source) => new TextDecoder().decode((0, eval)(source))'),
  ).resolves.toBe(true)
})

test('labels of UTF-8 are known in every spelling', async () => {
  const labels = fc.constantFrom('UTF-8', ' utf8\n', 'unicode-1-1-utf-8', 'x-unicode20utf8', 'no')
  await expect(isSame(guest, labels, '(label) => new TextDecoder(label).encoding')).resolves.toBe(
    true,
  )
})

test('another encoding is refused by name', async () => {
  const { value } = await guest.run(
    'try { new TextDecoder("utf-16le"); } catch (error) { return [error.name, error.message]; }',
  )
  expect(value).toEqual(['RangeError', "The encoding 'utf-16le' is not supported: use utf-8"])
})

test('texts and bytes above the size of one part are whole', async () => {
  const { value } = await guest.run(`
    const text = ("é" + "x".repeat(7) + "\u{1F600}").repeat(300_000).slice(0, -1);
    const bytes = new TextEncoder().encode(text);
    const back = new TextDecoder().decode(bytes);
    return [bytes.length, back === text.toWellFormed(), new TextDecoder("utf8", { fatal: true }).decode(bytes).length];
  `)
  const text = `é${'x'.repeat(7)}\u{1F600}`.repeat(300_000).slice(0, -1).toWellFormed()
  expect(value).toEqual([Buffer.byteLength(text), true, text.length])
})

test('atob and btoa do what those of Node do', async () => {
  const latin = fc.string({ unit: 'binary', maxLength: 12 })
  await expect(isSame(guest, fc.oneof(latin, anyText), '(text) => btoa(text)')).resolves.toBe(true)
  const garbled = fc.array(fc.constantFrom('A', 'b', '+', '/', '=', ' ', '\n', '*', 'é'), {
    maxLength: 9,
  })
  await expect(
    isSame(
      guest,
      garbled.map((parts) => parts.join('')),
      '(text) => { const plain = atob(text); return [...plain].map((unit) => unit.charCodeAt(0)); }',
    ),
  ).resolves.toBe(true)
})

test('base64 of bytes is what the files of a tool are given in', async () => {
  const { value } = await guest.run(
    'return [new Uint8Array([251, 255, 0]).toBase64(), Uint8Array.fromBase64("+/8A").length];',
  )
  expect(value).toEqual(['+/8A', 3])
})
