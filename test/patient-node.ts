import { pathToFileURL } from 'node:url'

/** How Node runs programs of this repository from their sources, without the product's deadlines deciding what comes of it. */
export const patientNode: readonly string[] = [
  '--disable-warning=ExperimentalWarning',
  '--conditions=@toolcrib/source',
  `--import=${pathToFileURL(`${import.meta.dirname}/patient-deadlines.ts`).href}`,
]
