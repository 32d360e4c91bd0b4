import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
export const repositoryFolder: string = fileURLToPath(new URL('..', import.meta.url))

/** The source file of every entry of every published package. */
export function listPackageEntries(): readonly string[] {
  const packages = [
    ...readdirSync(join(repositoryFolder, 'packages')).map((name) =>
      join(repositoryFolder, 'packages', name),
    ),
    join(repositoryFolder, 'apps/agent'),
  ]
  return packages
    .filter((path) => existsSync(join(path, 'package.json')))
    .flatMap((path) => {
      const { exports } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as {
        exports?: Readonly<Record<string, { '@toolcrib/source'?: string }>>
      }
      return Object.values(exports ?? {})
        .map((entry) => entry['@toolcrib/source'])
        .filter((source) => source !== undefined)
        .map((source) => join(path, source))
    })
}
