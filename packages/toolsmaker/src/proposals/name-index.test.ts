import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NameIndex, isOneEditAway, plainName } from './name-index.ts'

const nameCharacter = fc.constantFrom('a', 'b', 'A', 'B', '_', '-', '1')
const someName = fc.string({ unit: nameCharacter, minLength: 1, maxLength: 6 })

test('finds exactly the names that a comparison with every name finds', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(someName, { maxLength: 60 }),
      someName,
      fc.boolean(),
      (names, name, isLarge) => {
        const index = new NameIndex()
        for (const other of names) index.add(other)
        // So many names of about this length that the index tries every edit.
        if (isLarge)
          for (let more = 0; more < 600; more += 1)
            index.add(`${String(more).padStart(6, '0')}xxxx`.slice(0, Math.max(6, name.length)))
        const expected = names.filter(
          (other) =>
            other !== name && (plainName(other) === plainName(name) || isOneEditAway(name, other)),
        )
        expect([...index.similarTo(name)].toSorted()).toEqual(expected.toSorted())
      },
    ),
    { numRuns: 500 },
  )
})

test('forgets a name that was deleted, and keeps those that share its plain form', () => {
  const index = new NameIndex()
  for (const name of ['get_price', 'getPrice', 'get-price']) index.add(name)
  index.delete('getPrice')
  expect([...index.similarTo('get_price')]).toEqual(['get-price'])
  expect(index.has('getPrice')).toBe(false)
})
