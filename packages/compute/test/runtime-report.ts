import attackFile from '../test-cases/attacks.json' with { type: 'json' }
import { type AttackCase, isWanted, runAttack } from './attack-runner.ts'
import {
  languageAttacks,
  unwantedLanguageAttacks,
} from './language-attacks/run-language-attacks.ts'
import { runSuiteCase, suites } from './suite-runner.ts'

/** What the attacks and suites came to in one runtime. Plain data. */
export interface RuntimeReport {
  /** Whether the runtime really forbids making code from text, so that the run proves something. */
  readonly codeGeneration: 'allowed' | 'refused'
  readonly attacks: number
  readonly suiteCases: number
  readonly unwanted: readonly unknown[]
}

function tryCodeGeneration(): RuntimeReport['codeGeneration'] {
  try {
    // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- this must be refused
    return new Function('return 1')() === 1 ? 'allowed' : 'refused'
  } catch {
    return 'refused'
  }
}

/** Runs every attack and every case of the public suites in the runtime at hand. */
export function reportOnRuntime(): RuntimeReport {
  const attacks = attackFile.cases as readonly AttackCase[]
  const cases = suites.flatMap((suite) => suite.cases)
  const unwantedAttacks = attacks
    .map((attack) => ({ attack, outcome: runAttack(attack) }))
    .filter(({ attack, outcome }) => !isWanted(outcome, attack))
    .map(({ attack, outcome }) => ({ name: attack.id, outcome }))
  const unwantedCases = cases
    .map((suiteCase) => ({ name: suiteCase.id, ...runSuiteCase(suiteCase) }))
    .filter(({ outcome, wanted }) => JSON.stringify(outcome) !== JSON.stringify(wanted))
  return {
    codeGeneration: tryCodeGeneration(),
    attacks: attacks.length + languageAttacks.length,
    suiteCases: cases.length,
    unwanted: [...unwantedAttacks, ...unwantedLanguageAttacks(), ...unwantedCases],
  }
}
