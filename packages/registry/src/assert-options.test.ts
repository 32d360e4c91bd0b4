import { ToolError, assertOptions } from '@toolcrib/registry'
import { expect, test } from 'vitest'

interface GuardOptions {
  readonly read?: readonly string[]
  readonly write?: readonly string[]
  readonly limits?: { readonly maxBytes?: number }
  readonly mounts?: readonly { readonly path: string }[]
}

function openGuard(options: unknown): void {
  assertOptions<GuardOptions>('openGuard', options, {
    read: true,
    write: true,
    limits: { maxBytes: true },
    mounts: { path: true },
  })
}

function problemOf(options: unknown): ToolError {
  try {
    openGuard(options)
  } catch (error) {
    if (ToolError.is(error, 'OPTIONS_INVALID')) return error
    throw error
  }
  throw new Error('nothing was refused')
}

test('options that are known, not given or undefined are fine', () => {
  expect(() => openGuard(undefined)).not.toThrowError()
  openGuard({})
  openGuard({ read: ['/a'], limits: { maxBytes: 1 }, mounts: [{ path: '/b' }] })
  openGuard({ read: undefined, limits: undefined, wite: undefined })
  openGuard(Object.create(null))
})

test('a misspelt option is refused by name, with the function and the nearest option', () => {
  const { message, data } = problemOf({ raed: ['/a'] })
  expect(message).toBe('openGuard() has no option "raed". Did you mean "read"?')
  expect(data).toEqual({ function: 'openGuard', option: 'raed', nearest: 'read' })
})

test('an option that is like no other is refused with a list of those that there are', () => {
  expect(problemOf({ retries: 3 }).message).toBe(
    'openGuard() has no option "retries". It knows read, write, limits, mounts.',
  )
})

test('options in objects and in lists of objects are looked at too', () => {
  expect(problemOf({ limits: { maxByte: 1 } }).message).toBe(
    'openGuard() has no option "limits.maxByte". Did you mean "limits.maxBytes"?',
  )
  expect(problemOf({ mounts: [{ path: '/a' }, { pth: '/b' }] }).data).toEqual({
    function: 'openGuard',
    option: 'mounts[1].pth',
    nearest: 'mounts[1].path',
  })
})

test('names that every object inherits are no options', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
    expect(problemOf(Object.fromEntries([[name, 1]])).data).toMatchObject({ option: name })
})

test('options that are no object are refused', () => {
  const wrong: readonly (readonly [unknown, string])[] = [
    [null, 'null'],
    ['read', 'a string'],
    [[], 'a list'],
    [() => ({}), 'a function'],
  ]
  for (const [options, got] of wrong)
    expect(problemOf(options).message).toBe(`openGuard() takes an object of options, got ${got}.`)
})
