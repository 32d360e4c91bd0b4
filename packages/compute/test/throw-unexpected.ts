import { unexpected } from '../src/engine/give-up.ts'

/** Makes defects of the engine visible; the walker would hide them behind the right result. */
export function throwUnexpected(): void {
  unexpected.handle = (error) => {
    throw new Error('The engine met an exception that is no way to give up.', { cause: error })
  }
}
