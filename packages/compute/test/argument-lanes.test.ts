import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inspectProgram, resolveOptions } from '../src/check/inspect-program.ts'
import { ArgumentLoader } from '../src/engine/argument-loader.ts'
import { numbers, values } from '../src/engine/frame.ts'
import { reasonOf } from '../src/engine/give-up.ts'
import { generateCase } from './generate-program.ts'

const choices = [
  ['n'],
  ['s'],
  ['n', 'm', 'k'],
  ['items', 'n', 's', 'flag'],
  ['day', 'obj', 'list', 'words', 'items', 'm', 'n', 'k', 's', 't'],
]
// The arguments that generated programs take, as ordinary as they come.
const ordinary = {
  n: 1,
  m: 2.5,
  k: 3,
  s: 'a',
  t: 'b',
  flag: true,
  list: [1],
  words: ['a'],
  items: [],
  obj: {},
  day: '2026-11-22',
}

function makeLoader(names: readonly string[]): ArgumentLoader {
  const logic = { steps: [{ op: 'return', value: `[${names.join(', ')}]` }] }
  const { program } = inspectProgram(logic, resolveOptions({}))
  const slots = names.map((_, index) => index)
  return new ArgumentLoader(program, names, slots)
}

/** What is loaded into the slots, or that it gave up. */
function load(loader: ArgumentLoader, args: unknown): string {
  try {
    loader.load(args)
    const loaded = loader.slots.map((slot) => {
      const number = numbers[slot]!
      return Number.isNaN(number) ? values[slot] : number
    })
    // Getters of two objects are not the same functions.
    return inspect(loaded, { depth: 8, getters: true })
  } catch (error) {
    if (reasonOf(error) === undefined) throw error
    return 'gave up'
  } finally {
    values.fill(undefined, 0, 16)
    numbers.fill(Number.NaN, 0, 16)
  }
}

/** Generated arguments are seldom so strange that nothing can be loaded. */
const isSpoiled = fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0)

/** The arguments with one that is no value at all. */
function spoil(args: unknown, name: string): unknown {
  const descriptors = Object.getOwnPropertyDescriptors(Object(args))
  const noValue = { value: () => 1, enumerable: true, configurable: true }
  return Object.defineProperties({}, { ...descriptors, [name]: noValue })
}

test.each(choices)('a lane for %s loads what is loaded without it', (...names) => {
  const laned = makeLoader(names)
  for (let pass = 0; pass < 100; pass++) laned.load({ ...ordinary })
  values.fill(undefined, 0, 16)
  let gaveUp = 0
  fc.assert(
    fc.property(fc.nat(), isSpoiled, (seed, spoiled) => {
      const { makeArguments } = generateCase(seed)
      const make = (): unknown => (spoiled ? spoil(makeArguments(), names[0]!) : makeArguments())
      const wanted = load(makeLoader(names), make())
      expect(load(laned, make())).toBe(wanted)
      // So that strange arguments do not take the lane away.
      for (let pass = 0; pass < 3; pass++) load(laned, { ...ordinary })
      if (wanted === 'gave up') gaveUp++
    }),
    { numRuns: 400 },
  )
  expect(gaveUp).toBeGreaterThan(5)
})
