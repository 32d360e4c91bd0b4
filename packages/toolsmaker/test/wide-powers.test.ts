import { approvalPolicySchema, createMemoryTrust } from '@toolcrib/toolsmaker'
import { expect, test } from 'vitest'
import { adderIntent, agent, openWorkshop } from './bench-of-tests.ts'

const rule = {
  id: 'everything',
  kinds: ['compute'],
  capabilities: ['fs_read', 'fs_write', 'http'],
  maxRisk: 'high',
  newToolsOnly: false,
  visibility: 'shared',
}
const policy = approvalPolicySchema.parse({ rules: [rule] })

/** Proposes a tool where a rule gives every capability; what became of it, and why the review calls it risky. */
async function propose(asked: object): Promise<{ status: unknown; reasons: readonly string[] }> {
  const { maker } = await openWorkshop({ trust: createMemoryTrust({ policy }) })
  const ada = maker.forAgent(agent)
  await ada.buildToolFromIntent(adderIntent(asked))
  const [version] = maker.listVersions('plus_some')
  const review = await ada.readReview('plus_some', 1)
  return { status: version?.status, reasons: review?.risk.reasons ?? [] }
}

test.each([
  ['8.8.8.8', 'it names an address (8.8.8.8)'],
  ['db:5432', 'it names a host of the own network (db:5432)'],
  ['*', 'it may send to every host'],
  ['*:*', 'it may use every port (*:*)'],
  ['http://*', 'it may send to every host'],
  ['http://api.example.com', 'it sends without encryption (http://api.example.com)'],
  ['api.example.com:*', 'it may use every port (api.example.com:*)'],
  ['metadata.google.internal', 'it names a host of the own network (metadata.google.internal)'],
  [
    '\u0430pple.com',
    'letters that may look like others (xn--pple-43d.com, written "\u0430pple.com")',
  ],
  ['*.xn--pple-43d.com', 'letters that may look like others (*.xn--pple-43d.com'],
])(
  'a tool that asks for %s is never approved by a rule, and its review says why',
  async (domain, why) => {
    const asked = { capabilities: ['http'], allowedDomains: ['api.example.org', domain] }
    const { reasons, status } = await propose(asked)
    expect(status).toBe('approval_required')
    expect(reasons.join('\n')).toContain(why)
  },
)

test.each(['.', '/srv/data', 'C:/data', 'home/.ssh', '.env'])(
  'nor is one that asks for the folder %s',
  async (path) => {
    for (const capability of ['fs_read', 'fs_write']) {
      const { reasons, status } = await propose({
        capabilities: [capability],
        allowedPaths: [path],
      })
      expect(status).toBe('approval_required')
      expect(reasons.join('\n')).toContain(JSON.stringify(path))
    }
  },
)

test('one that asks for hosts by name and folders below the base is approved by a rule that says so', async () => {
  const { reasons, status } = await propose({
    capabilities: ['http', 'fs_read'],
    allowedDomains: ['api.example.com', '*.example.org', 'api.example.com:8443'],
    allowedPaths: ['data/reports'],
  })
  expect(status).toBe('activated')
  expect(reasons).toEqual(['it asks for http, fs_read', 'its kind is compute'])
})
