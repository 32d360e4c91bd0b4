import { randomFillSync } from 'node:crypto'

const pool = new Int32Array(3 * 256)
let used = pool.length

/** Three seeds for the guest's generator, from the generator of the system. */
export function randomSeeds(): readonly [number, number, number] {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const seeds = [pool[used] ?? 0, pool[used + 1] ?? 0, pool[used + 2] ?? 0] as const
  used += 3
  return seeds
}
