import { join } from 'node:path'
import { createApprover } from '@toolcrib/toolsmaker'
import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../run-toolcrib.ts'
import { type Promised, emptyPromise, findBrokenPromises, killOneHost } from './survival.ts'

/** A short form; `pnpm test:long` kills more often, and `pnpm test:crash 200` is the longest. */
const kills = process.env['TOOLCRIB_LONG_TESTS'] === undefined ? 4 : 20

function isEmpty({ active, answered }: Promised): boolean {
  return active.size === 0 || answered.size === 0
}

test(
  'a host killed at random moments loses nothing it promised and runs nothing unapproved',
  { timeout: 300_000 },
  async () => {
    const folder = makeTemporaryFolder()
    const data = join(folder.path, 'data')
    const passphrase = 'crash test passphrase'
    try {
      await createApprover(join(data, 'trust'), { id: 'crash', passphrase })
      const promised = emptyPromise()
      // On a machine that is busy with other things, more rounds may be needed until anything was promised at all.
      for (let round = 0; round < kills || (isEmpty(promised) && round < 4 * kills); round += 1) {
        await killOneHost(data, {
          promised,
          passphrase,
          round,
          afterMs: round < kills ? (round * 160) % 640 : round * 300,
          whileStarting: round % 4 === 3,
        })
        expect(await findBrokenPromises(data, promised)).toEqual([])
      }
      expect(promised.active.size).toBeGreaterThan(0)
      expect(promised.answered.size).toBeGreaterThan(0)
    } finally {
      folder.remove()
    }
  },
)
