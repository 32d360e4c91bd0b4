import { reportOnRuntime } from './runtime-report.ts'

/** Runs in a page: see the browser tests of the workspace. */
Object.assign(globalThis, { outcome: reportOnRuntime() })
