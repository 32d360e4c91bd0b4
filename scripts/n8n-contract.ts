/**
 * Runs the contract tests on real n8n servers, one release after the other:
 *
 *   node scripts/n8n-contract.ts [2.41.1 1.123.81] [--files part-of-a-file-name]
 *
 * A release is installed once, into `TOOLCRIB_N8N_FOLDER` (some minutes and 3 GB each, by default in the cache folder of the
 * user), and started on 127.0.0.1 with empty data. Nothing is asked of any other machine but the npm registry, and of that
 * only to install.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { installN8n, testedVersions } from '../packages/n8n/contract/install-n8n.ts'
import { startServer } from '../packages/n8n/contract/start-server.ts'

interface Summary {
  readonly version: string
  readonly passed: number
  readonly failed: number
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { files: { type: 'string', multiple: true } },
})
const versions = positionals.length > 0 ? positionals : testedVersions
const work = mkdtempSync(join(tmpdir(), 'toolcrib-contract-'))
// Servers note themselves here, also those that tests start.
process.env['TOOLCRIB_N8N_RUN_FOLDER'] = work
const stopping = new AbortController()

const say = (text: string): void => {
  process.stderr.write(`[n8n contract] ${text}\n`)
}

function endWhatIsLeft(): void {
  for (const name of readdirSync(work)) {
    const pid = Number(/^(\d+)\.pid$/u.exec(name)?.[1])
    if (!Number.isInteger(pid)) continue
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It is gone already.
    }
  }
  rmSync(work, { recursive: true, force: true })
}
process.once('exit', endWhatIsLeft)
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    say('stopping')
    stopping.abort()
    process.exit(130)
  })

async function runVitest(environment: NodeJS.ProcessEnv): Promise<Omit<Summary, 'version'>> {
  const report = join(work, 'report.json')
  rmSync(report, { force: true })
  const child = spawn(
    process.execPath,
    [
      resolve('node_modules/vitest/vitest.mjs'),
      'run',
      '--config=vitest.n8n.config.ts',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...(values.files ?? []),
    ],
    { stdio: 'inherit', env: { ...process.env, ...environment }, signal: stopping.signal },
  )
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail)
    child.once('exit', done)
  })
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites, success } = JSON.parse(
      readFileSync(report, 'utf8'),
    ) as Record<string, number> & { readonly success: boolean }
    // A file that could not be loaded has no tests, and has failed.
    const unseen = !success && numFailedTests === 0 ? Math.max(numFailedTestSuites ?? 0, 1) : 0
    return { passed: numPassedTests ?? 0, failed: (numFailedTests ?? 0) + unseen }
  } catch {
    return { passed: 0, failed: code === 0 ? 0 : 1 }
  }
}

async function contract(version: string): Promise<Summary> {
  const started = Date.now()
  const folder = await installN8n(version, { say, signal: stopping.signal })
  await using server = await startServer({ version, say, signal: stopping.signal })
  say(`n8n ${version} is up at ${server.baseUrl} after ${String(Date.now() - started)} ms`)
  const counts = await runVitest({
    N8N_BASE_URL: server.baseUrl,
    N8N_API_KEY: server.apiKey,
    N8N_LIMITED_API_KEY: server.limitedApiKey,
    N8N_VERSION: version,
    N8N_FOLDER: folder,
  })
  return { version, ...counts }
}

const summaries: Summary[] = []
for (const version of versions)
  try {
    summaries.push(await contract(version))
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error))
    summaries.push({ version, passed: 0, failed: 1 })
  }
for (const { version, passed, failed } of summaries)
  console.log(`n8n ${version}: ${String(passed)} passed, ${String(failed)} failed`)
const sum = (counts: readonly number[]): number => counts.reduce((one, two) => one + two, 0)
const failures = sum(summaries.map(({ failed }) => failed))
console.log(
  `in total: ${String(sum(summaries.map(({ passed }) => passed)))} passed, ${String(failures)} failed`,
)
process.exitCode = failures === 0 ? 0 : 1
