/** What the first argument of the guest's one function of the host means. The same numbers as in guest/prelude.js. */
export const nativeCall = {
  service: 0,
  request: 1,
  log: 2,
  wake: 3,
  done: 4,
  fail: 5,
  clock: 6,
  tooManyCalls: 7,
  makeRoom: 8,
  badInput: 9,
  sleepBegins: 10,
  sleepEnds: 11,
} as const
