import { expect, test } from 'vitest'
import { decideTypeCheck } from './decide-type-check.ts'

test.each([
  [undefined, '6.0.3', true, /typescript 6.0.3 is installed/],
  [true, '5.9.2', true, /5.9.2/],
  [false, '6.0.3', false, /code.typeCheck is false/],
  [true, undefined, false, /npm install typescript@6/],
  [undefined, '7.0.2', false, /typescript 7.0.2 cannot be asked.*typescript@6/],
] as const)(
  'with the setting %s and TypeScript %s types are checked: %s',
  (...[wanted, version, isOn, because]) => {
    expect(decideTypeCheck(wanted, () => version)).toEqual({
      isOn,
      because: expect.stringMatching(because),
    })
  },
)
