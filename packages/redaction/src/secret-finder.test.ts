import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SecretFinder } from './secret-finder.ts'
import { type SecretForm, listSecretForms } from './secret-forms.ts'

const few = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '0', '%', 'K', 'İ'), maxLength: 12 })

/** The plainest search there is: every form at every position. */
function findPlainly(text: string, forms: readonly SecretForm[]): ReadonlySet<number> {
  const held = new Set<number>()
  for (const { ignoresCase, text: form } of forms)
    for (let start = 0; start + form.length <= text.length; start += 1) {
      const piece = text.slice(start, start + form.length)
      const folded = ignoresCase
        ? piece.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
        : piece
      if (folded === form) for (let at = 0; at < form.length; at += 1) held.add(start + at)
    }
  return held
}

function removePlainly(text: string, held: ReadonlySet<number>): string {
  let result = ''
  for (let at = 0; at < text.length; at += 1)
    if (!held.has(at)) result += text[at]
    else if (!held.has(at - 1)) result += '[redacted]'
  return result
}

test('finds what a search of every form at every position finds', () => {
  let found = 0
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(few, few).map(([start, end]) => `${start}aabb${end}`),
        { maxLength: 4 },
      ),
      fc.array(fc.tuple(few, fc.nat()), { minLength: 1, maxLength: 8 }),
      (secrets, pieces) => {
        const forms = secrets.filter(({ length }) => length >= 6).flatMap(listSecretForms)
        const plain = forms.filter(({ spills }) => !spills)
        const text = pieces
          .map(([filling, pick]) => {
            const form = plain[pick % Math.max(plain.length, 1)]?.text ?? ''
            // Also only a part of a form, and in the other case.
            const part = pick % 5 === 0 ? form.slice(1 + (pick % 3)) : form
            return filling + (pick % 7 === 0 ? part.toUpperCase() : part)
          })
          .join('')
        const spilling = forms.filter(({ spills }) => spills)
        fc.pre(findPlainly(text, spilling).size === 0)
        const held = findPlainly(text, plain)
        found += held.size
        const finder = new SecretFinder(secrets)
        expect(finder.isIn(text)).toBe(held.size > 0)
        expect(finder.remove(text)).toBe(removePlainly(text, held))
      },
    ),
    { numRuns: 300 },
  )
  expect(found).toBeGreaterThan(1_000)
})

test('a text that repeats the beginning that all keys share is searched once, not once per character of the key', () => {
  const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0B\n'.repeat(2_000)}`
  const finder = new SecretFinder([key])
  for (const beginning of ['-', '%2d', '2d', '2D:', 'LS0t', String.raw`\x2d`]) {
    const text = beginning.repeat(300_000)
    expect(finder.remove(text)).toBe(text)
  }
})
