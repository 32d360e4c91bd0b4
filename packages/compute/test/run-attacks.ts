import attacks from '../test-cases/attacks.json' with { type: 'json' }
import { type AttackCase, isWanted, runAttack } from './attack-runner.ts'

/** Shows that the runtime really forbids it, so that the run proves something. */
function tryCodeGeneration(): string {
  try {
    // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- this must be refused
    return `allowed: ${String(new Function('return 1'))}`
  } catch {
    return 'refused'
  }
}

const cases = attacks.cases as readonly AttackCase[]
const unwanted = cases
  .map((attack) => ({ attack, outcome: runAttack(attack) }))
  .filter(({ attack, outcome }) => !isWanted(outcome, attack))
  .map(({ attack, outcome }) => ({ id: attack.id, outcome }))

process.stdout.write(
  JSON.stringify({ codeGeneration: tryCodeGeneration(), ran: cases.length, unwanted }),
)
