import { isWanted, type Outcome, outcomeOf } from '../attack-runner.ts'
import { budgetAttacks } from './budget-attacks.ts'
import { controlAttacks } from './control-attacks.ts'
import { hostAttacks } from './host-attacks.ts'
import { evaluate, type LanguageAttack } from './language-attack.ts'
import { numberAttacks } from './number-attacks.ts'
import { pollutionAttacks } from './pollution-attacks.ts'
import { prototypeAttacks } from './prototype-attacks.ts'
import { spellingAttacks } from './spelling-attacks.ts'

const groups: readonly (readonly [string, readonly LanguageAttack[]])[] = [
  ['prototype', prototypeAttacks],
  ['pollution', pollutionAttacks],
  ['host', hostAttacks],
  ['budget', budgetAttacks],
  ['number', numberAttacks],
  ['spelling', spellingAttacks],
  ['control', controlAttacks],
]

/** Every attack with the name it is reported under. */
export const languageAttacks: readonly (readonly [string, LanguageAttack])[] = groups.flatMap(
  ([group, attacks]) =>
    attacks.map(
      (attack, index) => [`${group} ${index + 1}: ${attack.title.slice(0, 100)}`, attack] as const,
    ),
)

function withPollution(pollution: Readonly<Record<string, unknown>>, run: () => unknown): unknown {
  const { prototype } = Object
  for (const [name, value] of Object.entries(pollution))
    Object.defineProperty(prototype, name, {
      configurable: true,
      enumerable: true,
      writable: true,
      value,
    })
  try {
    return run()
  } finally {
    for (const name of Object.keys(pollution)) Reflect.deleteProperty(Object.prototype, name)
  }
}

/** Runs one attack. */
export function runLanguageAttack({ program, args, run, pollution }: LanguageAttack): Outcome {
  const start = run ?? ((): unknown => evaluate(program, args?.() ?? {}))
  return outcomeOf(() => (pollution === undefined ? start() : withPollution(pollution, start)))
}

/** The attacks that did not end as wanted. */
export function unwantedLanguageAttacks(): readonly { name: string; outcome: Outcome }[] {
  return languageAttacks
    .map(([name, attack]) => ({ name, attack, outcome: runLanguageAttack(attack) }))
    .filter(({ attack, outcome }) => !isWanted(outcome, attack))
    .map(({ name, outcome }) => ({ name, outcome }))
}
