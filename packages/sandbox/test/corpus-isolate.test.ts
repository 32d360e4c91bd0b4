import { expect, test } from 'vitest'
import { isIsolateThere } from './isolate-presence.ts'
import { runCorpus } from './run-corpus.ts'

/** They compute until their time is over, and are given ten times the time. */
const slow = new Set([
  'esc-state-error-after',
  'esc-engine-map-reenter',
  'esc-engine-regexp-reenter',
])

/**
 * Of the ways out those that depend on the engine most: the shims are the same scripts in every mode. Of the abuses those of
 * memory, and two loops inside of built-in functions. The others were held against isolates too, and need time that the
 * tests of each change do not have.
 */
const isRun = (file: string, { id }: { readonly id: string }): boolean => {
  if (file === 'escape.json') return !slow.has(id)
  if (file === 'escape-more.json') return /^esc-(engine|ctor|error|state|async)/.test(id)
  return /^res-(mem|native-(join|indexof))/.test(id)
}

// oxlint-disable-next-line vitest/no-conditional-tests -- isolate.test.ts says what holds elsewhere
if (isIsolateThere()) runCorpus('isolate', isRun)
else
  test('without isolated-vm there is nothing to attack', () => expect(isIsolateThere()).toBe(false))
