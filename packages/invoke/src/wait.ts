/** Awaiting it lets everything run that is ready to. */
export const nextTurn: Promise<void> = Promise.resolve()

/** Waits for a promise that never rejects, but not longer than given. Tells whether it settled in time. */
export function waitAtMost(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, false)
    const finish = (): void => {
      clearTimeout(timer)
      resolve(true)
    }
    promise.then(finish, finish)
  })
}
