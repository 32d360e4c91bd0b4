import { createSandbox } from '../src/index.ts'

/** Whether mode `isolate` runs on this machine. */
export function isIsolateThere(): boolean {
  try {
    createSandbox({ mode: 'isolate' })
    return true
  } catch {
    return false
  }
}
