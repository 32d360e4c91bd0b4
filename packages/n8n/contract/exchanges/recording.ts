import { readFile } from 'node:fs/promises'
import type { Exchange } from './exchange-recorder.ts'

/** What a release answered. */
export interface Recording {
  readonly version: string
  readonly exchanges: readonly Exchange[]
}

/** Where the recording of a release is kept. */
export function recordingFile(version: string): URL {
  return new URL(`../../test/recordings/${version}.json`, import.meta.url)
}

/** Reads the recording of a release. */
export async function readRecording(version: string): Promise<Recording> {
  return JSON.parse(await readFile(recordingFile(version), 'utf8')) as Recording
}
