import { reportOnRuntime } from './runtime-report.ts'

/** Runs in a child process: see runtimes.test.ts. */
process.stdout.write(JSON.stringify(reportOnRuntime()))
