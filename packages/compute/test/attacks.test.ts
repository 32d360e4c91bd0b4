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
    const snapshot = (): unknown[] =>
      prototypes.map((prototype) => Object.getOwnPropertyDescriptors(prototype))
    const before = snapshot()
    for (const attack of cases) runAttack(attack)
    for (const [, attack] of languageAttacks) runLanguageAttack(attack)
    expect(snapshot()).toEqual(before)
  })
})
