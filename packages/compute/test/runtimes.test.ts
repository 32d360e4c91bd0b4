import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import attackFile from '../test-cases/attacks.json' with { type: 'json' }
import { languageAttacks } from './language-attacks/run-language-attacks.ts'
import type { RuntimeReport } from './runtime-report.ts'
import { suites } from './suite-runner.ts'

const require = createRequire(import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-runtimes-'))

/** Everything the run needs in one file, so that every runtime gets the same. */
async function bundle(entry: string): Promise<string> {
  const outfile = join(folder, entry.replace('.ts', '.mjs'))
  await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    outfile,
    format: 'esm',
    platform: 'neutral',
    target: 'es2024',
  })
  return outfile
}

const wanted: RuntimeReport = {
  codeGeneration: 'refused',
  attacks: attackFile.cases.length + languageAttacks.length,
  suiteCases: suites.flatMap(({ cases }) => cases).length,
  unwanted: [],
}

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('all attacks and public suites, where code cannot be made from text', () => {
  const node22 = join(dirname(require.resolve('node-22/package.json')), 'bin/node')
  let script = ''
  beforeAll(async () => {
    script = await bundle('runtime-node.ts')
  })

  it.each([
    ['the Node that runs the tests', process.execPath, process.version],
    ['Node 22', node22, 'v22.'],
  ])('have the wanted outcome on %s', (_, node, version) => {
    expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toContain(version)
    const output = execFileSync(node, ['--disallow-code-generation-from-strings', script], {
      encoding: 'utf8',
    })
    expect(JSON.parse(output)).toEqual(wanted)
  })

  describe('in workerd', () => {
    const { default: workerd } = require('workerd') as { default: string }
    let server: ChildProcess | undefined
    afterAll(() => server?.kill())

    it('have the wanted outcome', async () => {
      await bundle('runtime-worker.ts')
      const configuration = join(folder, 'worker.capnp')
      writeFileSync(
        configuration,
        `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker", esModule = embed "runtime-worker.mjs")],
    compatibilityDate = "2026-01-01"
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
`,
      )
      // The control channel says which port was given.
      server = spawn(workerd, ['serve', configuration, '--control-fd=1'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [data] = (await once(server.stdout ?? server, 'data')) as [Buffer]
      const { port } = JSON.parse(String(data)) as { port: number }
      const response = await fetch(`http://127.0.0.1:${port}/`)
      expect(await response.json()).toEqual(wanted)
    })
  })
})
