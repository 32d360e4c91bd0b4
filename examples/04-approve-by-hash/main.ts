/** What runs is exactly what was signed: an agent proposes, a person signs one hash, and nothing else becomes callable. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import { createComputeKind } from '@toolcrib/kind-compute'
import { createInvoker } from '@toolcrib/invoke'
import { type Principal, ToolRegistry } from '@toolcrib/registry'
import {
  createApprover,
  createToolsmaker,
  openFileEventStore,
  openTrustDirectory,
  signDecision,
  unlockSigner,
} from '@toolcrib/toolsmaker'

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-example-'))
const [storeFolder, trustFolder] = [join(folder, 'store'), join(folder, 'trust')]
const passphrase = 'only the person knows this'
await createApprover(trustFolder, { id: 'alice', passphrase })

const registry = new ToolRegistry()
const toolsmaker = await createToolsmaker({
  store: await openFileEventStore({ directory: storeFolder }),
  trust: await openTrustDirectory(trustFolder, { storeDirectory: storeFolder }),
  kinds: [createComputeKind()],
  registry,
})
const invoker = createInvoker({
  registry,
  log: createMemoryCallLog(),
  checkCallable: (tool, principal) => toolsmaker.checkCallable(tool, principal),
})
// What runs of a tool ends when somebody stops it.
toolsmaker.onStop((stop) => invoker.withdraw(stop))
const agent: Principal = { kind: 'agent', id: 'bookkeeper' }
const call = (): ReturnType<typeof invoker.invoke> =>
  invoker.invoke('net_of_tax', { gross: 119 }, { principal: agent })

try {
  // The agent proposes. A new tool that can touch nothing would be approved by rule; shared with everybody it needs a person.
  const { spec, status } = await toolsmaker.forAgent(agent).buildToolFromIntent({
    name: 'net_of_tax',
    purpose: 'Takes 19 percent tax out of a gross amount',
    inputs: { gross: { type: 'number' } },
    definition: {
      steps: [
        { op: 'math', expression: 'gross / 1.19', output: 'net' },
        { op: 'return', value: 'net' },
      ],
    },
    examples: [{ input: { gross: 119 }, expected: 100 }],
    visibility: 'shared',
  })
  assert.equal(status, 'approval_required')
  const early = await call()
  assert(!early.success && early.errorCode === 'TOOL_NOT_FOUND')

  // The person reads the review and signs exactly that hash.
  const review = await toolsmaker.readReview(spec.name, spec.version)
  assert.equal(review?.contentHash, spec.contentHash)
  const statement = await toolsmaker.prepareDecision({
    action: 'approve_and_activate',
    name: spec.name,
    version: spec.version,
    approver: 'alice',
    contentHash: spec.contentHash,
  })
  const decision = await signDecision(
    statement,
    await unlockSigner(trustFolder, { id: 'alice', passphrase }),
  )

  // A signature over one hash is worth nothing for another.
  const forged = { ...decision, statement: { ...statement, contentHash: '0'.repeat(64) } }
  await assert.rejects(toolsmaker.approveTool(spec.name, spec.version, { decision: forged }))

  await toolsmaker.approveTool(spec.name, spec.version, { decision })
  const result = await call()
  assert(result.success && result.output === 100)

  await toolsmaker.revokeTool(spec.name, spec.version, { reason: 'the tax rate changed' })
  const late = await call()
  assert(!late.success)
  console.log('proposed, reviewed, signed, called, revoked; the forged signature was refused')
} finally {
  await toolsmaker.close()
  rmSync(folder, { recursive: true })
}
