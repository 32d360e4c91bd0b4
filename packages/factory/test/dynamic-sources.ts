import { setTimeout as wait } from 'node:timers/promises'

/** A file of the form of a function. */
export function adding(n: number): string {
  return `export const toolcrib = {
  description: 'Adds ${n} to a number',
  inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  examples: [{ input: { n: 1 }, expected: ${1 + n} }],
}
export default (input: { n: number }) => input.n + ${n}
`
}

/** Waits until something holds. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (let left = 800; left > 0; left -= 1) {
    if (holds()) return
    // oxlint-disable-next-line no-await-in-loop -- looks again and again
    await wait(25)
  }
  throw new Error(`It never came that ${what}`)
}

/** Names that say something: letters in place of digits. */
export function numeral(index: number): string {
  return String(index)
    .padStart(3, '0')
    .replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')
}
