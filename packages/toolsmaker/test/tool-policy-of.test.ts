import { describePolicy, readToolPolicy } from '@toolcrib/policy'
import { type PolicyContent, toolPolicyOf } from '@toolcrib/toolsmaker'
import { expect, test } from 'vitest'
import { adderIntent, agent, openWorkshop } from './bench-of-tests.ts'

const nothing: PolicyContent = {
  capabilities: [],
  allowedPaths: [],
  allowedDomains: [],
  secrets: [],
  callees: [],
}

const everything: PolicyContent = {
  capabilities: ['fs_read', 'fs_write', 'http', 'secrets', 'tools'],
  allowedPaths: ['data/reports'],
  allowedDomains: ['api.example.com', '*.example.org'],
  secrets: ['API_TOKEN'],
  callees: [{ name: 'built_in', hash: null }],
}

test('the powers of a made tool are a policy that guards can read', () => {
  expect(readToolPolicy(toolPolicyOf(everything))).toEqual({
    fs_read: { paths: ['data/reports'] },
    fs_write: { paths: ['data/reports'] },
    http: { origins: ['api.example.com', '*.example.org'] },
    secrets: { names: ['API_TOKEN'] },
    tools: { callees: [{ name: 'built_in', hash: null }] },
  })
})

test.each(everything.capabilities)(
  'without the capability %s its arguments give nothing',
  (left) => {
    const capabilities = everything.capabilities.filter((capability) => capability !== left)
    expect(Object.keys(toolPolicyOf({ ...everything, capabilities })).toSorted()).toEqual(
      capabilities.toSorted(),
    )
  },
)

test.each(everything.capabilities)('%s without arguments is refused by every reader', (given) => {
  const policy = toolPolicyOf({ ...nothing, capabilities: [given] })
  expect(() => readToolPolicy(policy)).toThrow('must not be empty')
  expect(() => describePolicy(policy)).toThrow('must not be empty')
})

test('a tool without capabilities may touch nothing', () => {
  expect(toolPolicyOf(nothing)).toEqual({})
})

test('a review says what the policy says, and of powers that no guard can hold that there are none', async () => {
  const { maker } = await openWorkshop()
  const ada = maker.forAgent(agent)
  const build = (overrides: object): Promise<unknown> =>
    ada.buildToolFromIntent(adderIntent(overrides))
  const { callees: _, ...asked } = everything
  await build({ ...asked, capabilities: ['fs_read', 'fs_write', 'http', 'secrets'] })
  expect((await ada.readReview('plus_some', 1))?.powers).toEqual([
    'may read files in data/reports',
    'may create, change and delete files in data/reports',
    'may send HTTP requests to every name below example.org and api.example.com',
    'may use the secret API_TOKEN',
  ])
  await build({ capabilities: ['fs_read'], allowedPaths: ['../x'] })
  const [power, ...others] = (await ada.readReview('plus_some', 2))?.powers ?? []
  expect(power).toMatch(/^asks for powers that no guard can hold, so it gets none: .*\.\.\/x/)
  expect(others).toEqual([])
})
