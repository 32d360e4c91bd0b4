import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sandboxError } from '../error-catalogue.ts'
import {
  guestLocation,
  listGuestFiles,
  readGuestFiles,
  readIsolateAdapter,
} from '../guest-files.ts'
import type { ChildCommand } from '../lanes/process-lane.ts'

/** What mode `isolate` runs on. */
export interface IsolateFacts {
  readonly command: ChildCommand
  readonly name: string
  readonly version: string
  readonly fingerprint: string
}

interface Probe {
  /** The file of the addon. */
  readonly path: string
  readonly addon: string
  readonly v8: string
}

const leastNode = 24
const howTo = 'install isolated-vm 7 beside @toolcrib/sandbox, and use Node.js 24 or 26'

/** Loads the addon where it can break nothing, and runs something in an isolate. */
const probeSource = `
  const { createRequire } = require('node:module')
  const { dirname, join } = require('node:path')
  const [, entry] = process.argv
  const path = createRequire(entry)('node-gyp-build').path(dirname(entry))
  const { ivm } = require(path)
  const isolate = new ivm.Isolate({ memoryLimit: 8 })
  if (isolate.createContextSync().evalSync('6 * 7') !== 42) throw new Error('it computes wrongly')
  const { version } = require(join(dirname(entry), 'package.json'))
  process.stdout.write(JSON.stringify({ path, addon: version, v8: process.versions.v8 }))`

let probed: { readonly probe: Probe } | { readonly problem: string } | undefined

/**
 * Node with the addon in a child process. This process never loads it.
 *
 * @throws {ToolError} SANDBOX_UNAVAILABLE when the addon is missing or does not run here
 */
export function findIsolateEngine(): IsolateFacts {
  probed ??= tryOut()
  if ('problem' in probed)
    throw sandboxError(
      'SANDBOX_UNAVAILABLE',
      `The mode isolate cannot be used: ${probed.problem}; ${howTo}`,
    )
  const { path, addon, v8 } = probed.probe
  const hash = createHash('sha256').update(`isolated-vm\0${addon}\0${v8}\0${readIsolateAdapter()}`)
  for (const { name, text } of listGuestFiles(readGuestFiles()))
    hash.update(`\0${name}\0`).update(text)
  return {
    command: describeCommand(path),
    name: 'v8 (isolated-vm)',
    version: `${v8} (${addon})`,
    fingerprint: hash.digest('hex').slice(0, 16),
  }
}

function describeCommand(addonPath: string): ChildCommand {
  const folder = realpathSync(dirname(fileURLToPath(guestLocation)))
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const path = realpathSync(addonPath)
  const reads = [folder, join(dirname(folder), 'package.json'), path]
  return {
    endsWhenFull: true,
    file: process.execPath,
    args: [
      '--permission',
      ...reads.map((read) => `--allow-fs-read=${read}`),
      '--allow-worker',
      '--allow-addons',
      // Node 24 has these functions behind a flag, and the guest's text coding needs them.
      ...('fromBase64' in Uint8Array ? [] : ['--js-base-64']),
      realpathSync(fileURLToPath(new URL(`./isolate-child.${extension}`, import.meta.url))),
      path,
      String(process.pid),
    ],
  }
}

function tryOut(): { readonly probe: Probe } | { readonly problem: string } {
  if (Number.parseInt(process.versions.node, 10) < leastNode)
    return { problem: `this is Node.js ${process.versions.node}` }
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve('isolated-vm')
  } catch {
    return { problem: 'isolated-vm is not installed' }
  }
  const { status, stdout } = spawnSync(process.execPath, ['-e', probeSource, entry], {
    cwd: '/',
    env: process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] } : {},
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
    timeout: 20_000,
    windowsHide: true,
  })
  if (status !== 0) return { problem: 'isolated-vm is installed, but does not start' }
  return { probe: JSON.parse(stdout) as Probe }
}
