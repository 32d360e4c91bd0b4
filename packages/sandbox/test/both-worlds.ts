import { runInThisContext } from 'node:vm'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { GuestRunner } from './guest-runner.ts'

/** Runs one function on many inputs in the guest and in Node, and fails unless both give the same. */
export async function isSame<Input>(
  guest: GuestRunner,
  inputs: fc.Arbitrary<Input>,
  source: string,
): Promise<true> {
  // A name says enough of an error: its message is each platform's own.
  const body = `const one = ${source};
    const all = [];
    for (const value of input) {
      try { const given = await one(value); all.push({ given: given === undefined ? null : given }); }
      catch (error) { all.push({ thrown: error instanceof DOMException ? error.name : error.constructor.name }); }
    }
    return all;`
  const inNode = runInThisContext(`(async (input) => { 'use strict'; ${body} })`) as (
    input: readonly Input[],
  ) => Promise<unknown>
  await fc.assert(
    fc.asyncProperty(fc.array(inputs, { minLength: 20, maxLength: 60 }), async (values) => {
      const input: Input[] = JSON.parse(JSON.stringify(values))
      const { value } = await guest.run(body, input)
      expect(value).toEqual(JSON.parse(JSON.stringify(await inNode(input))))
    }),
    { numRuns: 15 },
  )
  return true
}

/** Texts with lone surrogates, characters of every width, and a mark of byte order here and there. */
export const anyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0x7f }),
      fc.integer({ min: 0, max: 0xffff }),
      fc.constantFrom(0xd83d, 0xde00, 0xd800, 0xdfff, 0xfeff, 0xfffd, 0x7ff, 0x800),
    ),
    { maxLength: 30 },
  )
  .map((units) => String.fromCharCode(...units))

/** Bytes that are nearly UTF-8. */
export const anyBytes: fc.Arbitrary<readonly number[]> = fc
  .array(
    fc.oneof(
      fc.constantFrom([0xef, 0xbb, 0xbf], [0xe2, 0x82, 0xac], [0xf0, 0x9f, 0x98, 0x80], [0xc3]),
      fc.constantFrom([0xed, 0xa0, 0x80], [0xf4, 0x90], [0xe0, 0x80], [0xf0, 0x9f], [0xe2, 0x82]),
      fc.integer({ min: 0, max: 255 }).map((byte) => [byte]),
      fc.integer({ min: 97, max: 122 }).map((byte) => [byte]),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.flat())
