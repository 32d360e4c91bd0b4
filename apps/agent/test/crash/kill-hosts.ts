/**
 * Kills a host at random moments and checks after each restart that nothing promised is lost and nothing unapproved runs:
 *
 *   pnpm test:crash 200
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApprover } from '@toolcrib/toolsmaker'
import { emptyPromise, findBrokenPromises, killOneHost } from './survival.ts'

const rounds = Number(process.argv[2] ?? 20)
const passphrase = 'crash test passphrase'
let broken = 0
let [tools, calls] = [0, 0]

// A new data folder every 10 kills, so that later rounds do not only wait for an ever longer record.
for (let first = 0; first < rounds; first += 10) {
  const data = mkdtempSync(join(tmpdir(), 'toolcrib-crash-'))
  await createApprover(join(data, 'trust'), { id: 'crash', passphrase })
  const promised = emptyPromise()
  for (let round = first; round < Math.min(first + 10, rounds); round += 1) {
    const whileStarting = round % 5 === 4
    const afterMs = Math.random() * (whileStarting ? 1_500 : 600)
    await killOneHost(data, { promised, passphrase, round, afterMs, whileStarting })
    const problems = await findBrokenPromises(data, promised)
    broken += problems.length
    for (const problem of problems) console.log(`round ${round}: ${problem}`)
  }
  tools += promised.active.size
  calls += promised.answered.size
  console.log(
    `${Math.min(first + 10, rounds)} kills, ${tools} tools, ${calls} answered calls, ${broken} broken promises`,
  )
  rmSync(data, { recursive: true, force: true })
}
process.exitCode = broken === 0 ? 0 : 1
