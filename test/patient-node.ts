import { pathToFileURL } from 'node:url'

/**
 * V8's second compiler of WebAssembly costs a program that lives for seconds more than it brings: a database opens in half the time
 * without it. `pnpm test:long` has both, and so has what is packed and installed.
 */
const quickCompiler = process.env['TOOLCRIB_LONG_TESTS'] === undefined ? ['--liftoff-only'] : []

/** How Node runs programs of this repository from their sources, without the product's deadlines deciding what comes of it. */
export const patientNode: readonly string[] = [
  '--disable-warning=ExperimentalWarning',
  '--conditions=@toolcrib/source',
  ...quickCompiler,
  `--import=${pathToFileURL(`${import.meta.dirname}/patient-deadlines.ts`).href}`,
]
