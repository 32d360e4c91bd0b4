import { expect, test } from 'vitest'
import { decideShell } from './shell-decision.ts'

const file = '/trust/tool-settings.json'

test.each([
  undefined,
  { enabled: false },
  { enabled: false, containment: 'process-group' } as const,
])('with %j it is off, and says how to switch it on', (settings) => {
  const decision = decideShell(settings, file)
  expect(decision.isOn).toBe(false)
  expect(decision.because).toContain(`{ "shell": { "enabled": true } } into ${file}`)
})

test('switched on it wants a sandbox; less must be written down', () => {
  expect(decideShell({ enabled: true }, file)).toMatchObject({
    isOn: true,
    containment: 'bubblewrap',
  })
  for (const containment of ['namespace', 'process-group'] as const)
    expect(decideShell({ enabled: true, containment }, file)).toMatchObject({ containment })
})
