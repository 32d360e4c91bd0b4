/** An agent writes a tool in TypeScript: checked and tried without power, approved by a person, run in a sandbox within its bounds. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import { createFactoryTools } from '@toolcrib/factory'
import { createInvoker } from '@toolcrib/invoke'
import { openSecretVault } from '@toolcrib/policy/secrets'
import { type Principal, ToolRegistry, type ToolResult } from '@toolcrib/registry'
import { createSandbox } from '@toolcrib/sandbox'
import {
  createApprover,
  createToolsmaker,
  openFileEventStore,
  openTrustDirectory,
  unlockSigner,
} from '@toolcrib/toolsmaker'
import { createCodeKind, createCodePowers } from '@toolcrib/kind-code'

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-example-'))
const place = (name: string): string => join(folder, name)
mkdirSync(place('workspace'))

// A service that wants a key, and counts who asks.
const key = 'service-key-0123456789'
let asked = 0
const server = createServer((request, response) => {
  asked += 1
  const isKnown = request.headers['x-api-key'] === key
  response.statusCode = isKnown ? 200 : 401
  response.end(JSON.stringify(isKnown ? { euros: 42 } : {}))
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

// The operator says what code tools may touch at most, and holds the secrets. Private addresses are open only where named.
const sandbox = createSandbox()
const powers = createCodePowers({
  workspace: place('workspace'),
  vault: openSecretVault({ PRICE_KEY: { value: key, hosts: [origin] } }, {}),
  maximumPolicy: {
    http: { origins: ['http://127.0.0.1:*'], privateAddresses: ['127.0.0.1'] },
    secrets: { names: ['PRICE_KEY'] },
  },
})
const registry = new ToolRegistry()
await createApprover(place('trust'), { id: 'alice', passphrase: 'only the person knows this' })
const toolsmaker = await createToolsmaker({
  store: await openFileEventStore({ directory: place('store') }),
  trust: await openTrustDirectory(place('trust'), { storeDirectory: place('store') }),
  kinds: [createCodeKind({ sandbox, powers })],
  privateAddresses: ['127.0.0.1'],
  registry,
})
for (const tool of createFactoryTools({ toolsmaker, code: { sandbox } })) registry.register(tool)

const violations: string[] = []
const invoker = createInvoker({
  registry,
  log: createMemoryCallLog(),
  checkCallable: (tool, principal) => toolsmaker.checkCallable(tool, principal),
  onPolicyViolation: ({ toolName, data = {} }) =>
    violations.push(`${toolName}: ${data['rule'] as string}`),
})
// What runs of a tool ends when somebody stops it.
toolsmaker.onStop((stop) => invoker.withdraw(stop))
const agent: Principal = { kind: 'agent', id: 'shopkeeper' }
const call = (tool: string, input: object): Promise<ToolResult> =>
  invoker.invoke(tool, input, { principal: agent })

try {
  // The agent proposes. Its example says what the service would answer, for nothing is asked before a person approves.
  const proposed = await call('create_dynamic_tool', {
    name: 'price_of',
    description: 'Says what an article costs, from the price service',
    inputSchema: 'z.object({ url: z.string() })',
    implementation: `
      const key = await ctx.secrets.ref('PRICE_KEY')
      const answer = await ctx.http.get(input.url, { headers: { 'x-api-key': key } })
      return { euros: answer.json.euros, key }`,
    humanReadableFormat: 'Look up the price at ${input.url}',
    capabilities: ['http', 'secrets'],
    allowedDomains: [origin],
    secrets: ['PRICE_KEY'],
    examples: [
      {
        input: { url: `${origin}/tea` },
        expected: { euros: 7, key: 'placeholder' },
        fixtures: [
          { operation: 'secrets.ref', result: 'placeholder' },
          { operation: 'http.request', result: { status: 200, json: { euros: 7 } } },
        ],
      },
    ],
  })
  assert(proposed.success, proposed.success ? '' : proposed.error)
  assert.equal(
    (proposed.output as { status: string }).status,
    'approval_required',
    JSON.stringify(proposed.output),
  )
  assert.equal(asked, 0)

  // The person reads what it may do, what it was tried with, and signs.
  const review = await toolsmaker.readReview('price_of', 1)
  assert.match(review?.powers.join('\n') ?? '', /127\.0\.0\.1[^]*PRICE_KEY/)
  assert.deepEqual(
    review?.evidence[0]?.operations?.map(({ operation, answer }) => `${operation}: ${answer}`),
    ['secrets.ref: fixture', 'http.request: fixture'],
  )
  const signer = await unlockSigner(place('trust'), {
    id: 'alice',
    passphrase: 'only the person knows this',
  })
  await toolsmaker.approveTool('price_of', 1, { signer })
  await toolsmaker.activateToolVersion('price_of', 1, { signer })

  // The service sees the real key; the tool never does.
  const priced = await call('price_of', { url: `${origin}/tea` })
  assert(priced.success, priced.success ? '' : priced.error)
  assert.equal((priced.output as { euros: number }).euros, 42)
  assert.equal(asked, 1)
  assert(!JSON.stringify(priced).includes(key))

  // Another host, even on this machine, is refused, and the host is told.
  const elsewhere = await call('price_of', { url: 'http://127.0.0.1:1/steal' })
  assert(!elsewhere.success && elsewhere.errorCode === 'POLICY_VIOLATION')
  assert.deepEqual(violations, ['price_of: http.origin'])

  console.log(
    'written, tried on made-up answers, signed, called with a secret it never saw; elsewhere refused',
  )
} finally {
  await invoker.close()
  await sandbox.close()
  await toolsmaker.close()
  powers.close()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
}
