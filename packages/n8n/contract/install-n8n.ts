import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** The releases that the contract job tests against. */
export const testedVersions = ['2.41.1', '1.123.81'] as const

/** Where releases of n8n are kept between runs, each as `<version>/node_modules/n8n`. */
export function n8nFolder(): string {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  return process.env['TOOLCRIB_N8N_FOLDER'] ?? join(cache, 'toolcrib', 'n8n')
}

/** How a release is installed. */
export interface InstallOptions {
  /** @default {@link n8nFolder} */
  readonly folder?: string
  /** Told what takes minutes. */
  readonly say?: (text: string) => void
  readonly signal?: AbortSignal | undefined
}

/**
 * Installs a release from the npm registry, once: some minutes and 3 GB.
 *
 * @returns its folder
 */
export async function installN8n(version: string, options: InstallOptions = {}): Promise<string> {
  const { folder = n8nFolder(), say = () => undefined, signal } = options
  const target = join(folder, version)
  if (!existsSync(join(target, 'node_modules', 'n8n'))) {
    // Under another name until it is whole, so that half of one is never taken for one.
    const partial = `${target}.partial`
    await rm(partial, { recursive: true, force: true })
    await mkdir(partial, { recursive: true })
    await writeFile(join(partial, 'package.json'), JSON.stringify(manifest(version), undefined, 2))
    say(`installing n8n ${version} into ${target}: some minutes, 3 GB`)
    await npm(
      ['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'],
      partial,
      signal,
    )
    await rename(partial, target)
  }
  if (!existsSync(join(target, '.sqlite3-works'))) {
    if (!(await loadsSqlite(target, signal))) {
      say(`building sqlite3 for n8n ${version}: a minute or two`)
      await npm(['rebuild', 'sqlite3', '--loglevel=error'], target, signal)
    }
    await writeFile(join(target, '.sqlite3-works'), '')
  }
  return target
}

/** Overrides: newer linkedom needs a package that not every mirror has, and 1.x names xlsx by an address outside of npm. */
function manifest(version: string): object {
  return {
    name: 'n8n-host',
    private: true,
    version: '0.0.0',
    dependencies: { n8n: version },
    overrides: {
      linkedom: '0.18.12',
      ...(version.startsWith('1.') ? { xlsx: '0.18.5' } : {}),
    },
  }
}

const run = promisify(execFile)

async function npm(
  parameters: readonly string[],
  cwd: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await run('npm', parameters, {
    cwd,
    ...(signal === undefined ? {} : { signal }),
    maxBuffer: 64 * 1024 * 1024,
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
    },
  })
}

async function loadsSqlite(folder: string, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await run(process.execPath, ['-e', 'require("sqlite3")'], {
      cwd: folder,
      ...(signal === undefined ? {} : { signal }),
    })
    return true
  } catch {
    signal?.throwIfAborted()
    return false
  }
}
