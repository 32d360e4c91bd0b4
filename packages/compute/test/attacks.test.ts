import { describe, expect, it } from 'vitest'
import attacks from '../test-cases/attacks.json' with { type: 'json' }
import { type AttackCase, isWanted, runAttack } from './attack-runner.ts'

const cases = attacks.cases as readonly AttackCase[]

describe('hostile and careless programs', () => {
  it.each(cases.map((attack) => [`${attack.id} ${attack.title}`, attack] as const))(
    '%s has the wanted outcome',
    (_, attack) => {
      const outcome = runAttack(attack)
      expect({ outcome, wanted: isWanted(outcome, attack) }).toMatchObject({ wanted: true })
    },
  )

  it('are answered quickly, all of them together in under two seconds', () => {
    const started = performance.now()
    for (const attack of cases) runAttack(attack)
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  it('leave every built-in prototype as it was', () => {
    const before = [Object, Array, String, Number, Function].map((constructor) =>
      Object.getOwnPropertyNames(constructor.prototype).join(),
    )
    for (const attack of cases) runAttack(attack)
    const after = [Object, Array, String, Number, Function].map((constructor) =>
      Object.getOwnPropertyNames(constructor.prototype).join(),
    )
    expect(after).toEqual(before)
  })

  it('are all expressible in this form of the language, so none is left out', () => {
    expect(cases).toHaveLength(96)
    expect(attacks.leftOut).toEqual([])
  })
})
