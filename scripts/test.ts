/**
 * Runs the `test` task of every package through turbo, which leaves out what is untouched since it last passed, and adds up
 * what the packages report:
 *
 *   node scripts/test.ts [--force] [--filter=@toolcrib/compute]
 *
 * What is given goes to turbo, such as `--filter` for some packages. `--force` alone runs everything, in one run of vitest and not in
 * one for each package: each costs some seconds before its first test. With `TEST_RESULT` set, the last line is written to that
 * file too.
 */
import { spawn } from 'node:child_process'
import { globSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

/** What turbo writes about a task. */
interface TaskSummary {
  readonly task: string
  readonly package: string
  readonly directory: string
  readonly cache: { readonly status: 'HIT' | 'MISS' }
  readonly execution?: { readonly exitCode: number | null }
}

/** A run of vitest, which leaves a report in its directory. */
type TestRun = Omit<TaskSummary, 'task'>

/** What vitest writes about a run. */
interface TestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

const root = join(import.meta.dirname, '..')
const summaries = join(root, '.turbo/runs')
const reportOf = (directory: string): string => join(root, directory, '.vitest/report.json')

/** Runs a program to its end, and gives its exit code. */
function run(program: string, parameters: readonly string[]): Promise<number | null> {
  const child = spawn(program, parameters, { cwd: root, stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.on('exit', resolve)
    child.on('error', reject)
  })
}

async function runEverything(): Promise<readonly TestRun[]> {
  const exitCode = await run('vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    '--outputFile.json=.vitest/report.json',
    // They wait half of the time.
    `--maxWorkers=${2 * availableParallelism()}`,
  ])
  return [{ package: 'all', directory: '.', cache: { status: 'MISS' }, execution: { exitCode } }]
}

async function runTurbo(parameters: readonly string[]): Promise<readonly TestRun[]> {
  await run('turbo', [
    'run',
    'test',
    '--continue=always',
    '--env-mode=loose',
    '--summarize',
    // Each has two workers, which wait half of the time.
    `--concurrency=${availableParallelism()}`,
    ...parameters,
  ])
  const newest = readdirSync(summaries)
    .map((name) => join(summaries, name))
    .toSorted((one, other) => statSync(one).mtimeMs - statSync(other).mtimeMs)
    .at(-1)
  if (newest === undefined) throw new Error('turbo left no summary')
  const { tasks } = JSON.parse(readFileSync(newest, 'utf8')) as { tasks: readonly TaskSummary[] }
  return tasks.filter(({ task }) => task === 'test')
}

function readReport(directory: string): TestReport | undefined {
  try {
    return JSON.parse(readFileSync(reportOf(directory), 'utf8')) as TestReport
  } catch {
    return undefined
  }
}

/** One text for each test that failed, and for each file that failed outside of its tests. */
function failuresOf({ testResults }: TestReport): string[] {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ assertionResults, message, name }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      if (failed.length === 0) return [`${name}\n${message}`]
      return failed.map(
        ({ failureMessages, fullName }) =>
          `${name}\n  ${fullName}\n${failureMessages.join('\n').slice(0, 4000)}`,
      )
    })
}

rmSync(summaries, { recursive: true, force: true })
for (const report of globSync('{.,packages/*,apps/*,test*}/.vitest/report.json', { cwd: root }))
  rmSync(join(root, report))

const given = process.argv.slice(2)
const isEverything = given.length === 1 && given[0] === '--force'
const tasks = isEverything ? await runEverything() : await runTurbo(given)
const counts = { passed: 0, skipped: 0 }
const failures: string[] = []
for (const { directory, execution, package: name } of tasks) {
  const report = readReport(directory)
  const found = report === undefined ? [] : failuresOf(report)
  counts.passed += report?.numPassedTests ?? 0
  counts.skipped += report?.numPendingTests ?? 0
  failures.push(...found)
  // A run can fail without a test that failed: by an error of a type, or one that nobody caught.
  if (found.length === 0 && (report === undefined || (execution?.exitCode ?? 0) !== 0))
    failures.push(`${name}: its run ended with ${execution?.exitCode}; see above`)
}
for (const failure of failures) console.log(`\nFAILED ${failure}`)
const cached = tasks.filter(({ cache }) => cache.status === 'HIT').length
if (cached > 0)
  console.log(
    `\n${cached} of ${tasks.length} packages are as they were when they last passed; their tests did not run again.`,
  )
const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`
const result = `${counts.passed} passed, ${failures.length} failed${skipped}`
if (process.env['TEST_RESULT'] !== undefined)
  writeFileSync(process.env['TEST_RESULT'], `${result}\n`)
console.log(`\n${result}`)
process.exitCode = failures.length === 0 && tasks.length > 0 ? 0 : 1
