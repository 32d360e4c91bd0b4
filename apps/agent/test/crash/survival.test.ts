import { join } from 'node:path'
import { createApprover } from '@toolcrib/toolsmaker'
import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../run-toolcrib.ts'
import { emptyPromise, findBrokenPromises, killOneHost } from './survival.ts'

/** Enough to find a defect that shows in one kill of five; `pnpm test:crash 200` is the long form. */
const kills = 8

test(
  'a host killed at random moments loses nothing it promised and runs nothing unapproved',
  { timeout: 120_000 },
  async () => {
    const folder = makeTemporaryFolder()
    const data = join(folder.path, 'data')
    const passphrase = 'crash test passphrase'
    try {
      await createApprover(join(data, 'trust'), { id: 'crash', passphrase })
      const promised = emptyPromise()
      for (let round = 0; round < kills; round += 1) {
        await killOneHost(data, {
          promised,
          passphrase,
          round,
          afterMs: (round * 80) % 600,
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
