import { expect, test } from 'vitest'
import { isIsolateThere } from './isolate-presence.ts'
import { runCorpus } from './run-corpus.ts'

/**
 * Of the ways out those that do not look for bugs of QuickJS, and not those of the shims, which are the same scripts in every
 * mode. Of the abuses those of memory, and a loop inside of a built-in function. The others were held against isolates too,
 * and take time that the tests of each change do not have.
 */
const isRun = (file: string, { id }: { readonly id: string }): boolean => {
  if (id.startsWith('esc-engine') || id === 'esc-state-error-after') return false
  if (file === 'escape.json') return true
  if (file === 'escape-more.json') return /^esc-(ctor|error|state|async)/.test(id)
  return /^res-(mem|native-join)/.test(id)
}

// oxlint-disable-next-line vitest/no-conditional-tests -- isolate.test.ts says what holds elsewhere
if (isIsolateThere()) runCorpus('isolate', isRun)
else
  test('without isolated-vm there is nothing to attack', () => expect(isIsolateThere()).toBe(false))
