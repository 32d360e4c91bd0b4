import { readdir, readFile } from 'node:fs/promises'

const clockTicksPerSecond = 100

/** The processor time that a server and its processes have used, in microseconds; NaN where /proc is missing. */
export async function readServerCpu(serverId: number): Promise<number> {
  try {
    const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    const times = await Promise.all(ids.map((id) => readTime(id, serverId)))
    return times.reduce((sum, time) => sum + time, 0)
  } catch {
    return Number.NaN
  }
}

async function readTime(id: string, serverId: number): Promise<number> {
  const text = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')
  // The name in parentheses may hold anything, so fields are counted from behind it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const parent = Number(fields[1])
  const own = Number(id) === serverId
  if (!own && parent !== serverId) return 0
  const ticks = [11, 12, ...(own ? [13, 14] : [])].reduce(
    (sum, field) => sum + Number(fields[field] ?? 0),
    0,
  )
  return (ticks / clockTicksPerSecond) * 1_000_000
}
