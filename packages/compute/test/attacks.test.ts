import { describe, expect, it } from 'vitest'
import attackFile from '../test-cases/attacks.json' with { type: 'json' }
import { type AttackCase, isWanted, runAttack } from './attack-runner.ts'
import { languageAttacks, runLanguageAttack } from './language-attacks/run-language-attacks.ts'

const cases = attackFile.cases as readonly AttackCase[]

describe('hostile and careless programs', () => {
  it.each(cases.map((attack) => [`${attack.id} ${attack.title}`, attack] as const))(
    '%s has the wanted outcome',
    (_, attack) => {
      const outcome = runAttack(attack)
      expect({ outcome, wanted: isWanted(outcome, attack) }).toMatchObject({ wanted: true })
    },
  )

  it('are all expressible, so none is left out', () => {
    expect(cases).toHaveLength(96)
    expect(attackFile.leftOut).toEqual([])
  })
})

describe('hostile and careless programs on the full language', () => {
  it.each(languageAttacks)('%s', (_, attack) => {
    const outcome = runLanguageAttack(attack)
    const { expected, why } = attack
    expect({ outcome, expected, why, wanted: isWanted(outcome, attack) }).toMatchObject({
      wanted: true,
    })
  })

  it('have names of their own', () => {
    const names = languageAttacks.map(([name]) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('all attacks together', () => {
  it('leave every built-in prototype as it was', () => {
    const prototypes = [Object, Array, String, Number, Function].map(({ prototype }) => prototype)
    // Descriptors are compared part by part: two snapshots of them are never equal as a whole.
    const snapshot = (): unknown[] =>
      prototypes.flatMap((prototype) =>
        Reflect.ownKeys(prototype).flatMap((key) => {
          const parts = Object.entries(Object.getOwnPropertyDescriptor(prototype, key) ?? {})
          return [key, ...parts.flat()]
        }),
      )
    const before = snapshot()
    const isUntouched = (): boolean => {
      const after = snapshot()
      return (
        after.length === before.length && after.every((part, at) => Object.is(part, before[at]))
      )
    }
    for (const attack of cases) runAttack(attack)
    for (const [, attack] of languageAttacks) runLanguageAttack(attack)
    expect(isUntouched()).toBe(true)
    // oxlint-disable-next-line no-extend-native -- shows that it would be seen
    Object.defineProperty(Array.prototype, 'polluted', { value: 1, configurable: true })
    expect(isUntouched()).toBe(false)
    Reflect.deleteProperty(Array.prototype, 'polluted')
    expect(isUntouched()).toBe(true)
  })
})
