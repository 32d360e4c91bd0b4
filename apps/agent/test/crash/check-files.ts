import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Toolsmaker } from '@toolcrib/toolsmaker'

/** Compares the readable files with the record, once those that a kill left behind were mended. */
export async function findWrongFiles(
  toolsmaker: Toolsmaker,
  store: string,
): Promise<readonly string[]> {
  const mended = await toolsmaker.checkProjections()
  const again = await toolsmaker.checkProjections()
  const problems = [
    ...[...mended.failed, ...again.failed].map(({ file, reason }) => `${file} failed: ${reason}`),
    ...[...again.written, ...again.restored].map((file) => `${file} was wrong after it was mended`),
    ...(await toolsmaker.readUnrecordedCustomTools()).map(({ file }) => `${file} is not on record`),
  ]
  const active = toolsmaker.activeVersions()
  if (!isSame(readJson(store, 'active_versions.json'), active))
    problems.push('active_versions.json is not what is in use')
  for (const name of Object.keys(active))
    if (!existsSync(join(store, 'custom-tools', `${name}.json`)))
      problems.push(`custom-tools/${name}.json is missing`)
  for (const { name, status, version } of toolsmaker.listVersions()) {
    const file = `specs/${name}_v${version}.json`
    const spec = readJson(store, file) as { state?: { status?: string } } | undefined
    if (spec?.state?.status !== status) problems.push(`${file} does not say ${status}`)
  }
  return problems
}

function readJson(store: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(join(store, file), 'utf8')) as unknown
  } catch {
    return undefined
  }
}

function isSame(left: unknown, right: Readonly<Record<string, number>>): boolean {
  const entries = Object.entries(left ?? {})
  return (
    left !== undefined &&
    entries.length === Object.keys(right).length &&
    entries.every(([name, version]) => right[name] === version)
  )
}
