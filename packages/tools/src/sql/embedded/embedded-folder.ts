import { existsSync } from 'node:fs'
import { copyFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

const configuration = 'postgresql.conf'

/**
 * Makes the folder of an embedded database ready for a start and gives the place of its data. The server's configuration
 * becomes what it was: the agent is a superuser there, and could otherwise make the server load its own things, or not
 * start at all. What a first start left behind that never came to its end is removed; it holds no data.
 */
export async function restoreConfiguration(folder: string): Promise<string> {
  const data = join(folder, 'postgres')
  const kept = join(folder, configuration)
  if (!existsSync(kept)) await rm(data, { recursive: true, force: true })
  else {
    await rm(join(data, 'postgresql.auto.conf'), { recursive: true, force: true })
    await rm(join(data, configuration), { recursive: true, force: true })
    await copyFile(kept, join(data, configuration))
  }
  return data
}

/** Keeps the configuration of a folder whose first start came to its end; later ones find it kept. */
export async function keepConfiguration(folder: string): Promise<void> {
  const kept = join(folder, configuration)
  if (existsSync(kept)) return
  // Half a copy must never stand under the name.
  await copyFile(join(folder, 'postgres', configuration), `${kept}.part`)
  await rename(`${kept}.part`, kept)
}
