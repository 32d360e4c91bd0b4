import { maxTimeoutMs } from '@toolcrib/registry'

/** Awaiting it lets everything run that is ready to. */
export const nextTurn: Promise<void> = Promise.resolve()

/** Whatever a log gave as a promise; hostile ones become rejected ones. */
export async function asPromise(value: unknown): Promise<unknown> {
  return await value
}

/** Waits for a promise to settle, but not longer than given. Tells whether it settled in time. */
export function waitAtMost(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.min(milliseconds, maxTimeoutMs), false)
    const finish = (): void => {
      clearTimeout(timer)
      resolve(true)
    }
    promise.then(finish, finish)
  })
}

/** Lets the event loop do everything else that is due: timers, input and output, other calls. */
export function nextTurnOfLoop(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0)
  })
}
