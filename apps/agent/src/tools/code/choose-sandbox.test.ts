import { expect, test } from 'vitest'
import { chooseSandbox } from './choose-sandbox.ts'

const environment = { TOOLCRIB_SANDBOX: 'process' }

test('what a program says comes before the environment, then the settings, then worker threads', () => {
  const settings = { mode: 'bubblewrap', maxWorkers: 3 } as const
  expect(chooseSandbox({ option: { mode: 'worker' }, environment, settings }).mode).toBe('worker')
  expect(chooseSandbox({ environment, settings })).toMatchObject({
    mode: 'process',
    maxWorkers: 3,
    because: expect.stringContaining('TOOLCRIB_SANDBOX'),
  })
  expect(chooseSandbox({ environment: { TOOLCRIB_SANDBOX: ' ' }, settings }).mode).toBe(
    'bubblewrap',
  )
  expect(chooseSandbox({ environment: {} })).toEqual({ mode: 'worker', because: 'by default' })
  expect(chooseSandbox({ option: { maxWorkers: 1 }, environment: {}, settings }).maxWorkers).toBe(1)
})

test.each(['none', 'isolate', 'Worker', 'inline'])(
  'TOOLCRIB_SANDBOX=%s is a usage error that names the modes: there is no way to run without one',
  (mode) => {
    expect(() => chooseSandbox({ environment: { TOOLCRIB_SANDBOX: mode } })).toThrow(
      /TOOLCRIB_SANDBOX must be worker, process, bubblewrap or nothing/,
    )
  },
)
