import { reportOnRuntime } from './runtime-report.ts'

/** Runs in an edge runtime: see runtimes.test.ts. */
const worker = { fetch: (): Response => Response.json(reportOnRuntime()) }

// oxlint-disable-next-line import/no-default-export -- what the runtime looks for
export default worker
