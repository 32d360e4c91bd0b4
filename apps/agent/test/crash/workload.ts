/**
 * A host under load, made to be killed: makes tools, approves some, calls all of them, and says on standard output what it
 * was told is done. Whatever is printed here must survive.
 */
import { createHash } from 'node:crypto'
import { writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { flushCompileCache } from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createKernel } from '../../src/host/kernel.ts'
import { signDecision, unlockSigner } from '@toolcrib/toolsmaker'

const [data = '', passphrase = '', round = '0'] = process.argv.slice(2)
const agent = { kind: 'agent', id: 'crash' } as const
// Synchronous, so that a line is out before the next step begins, and a killed process cannot have lost it.
const say = (fact: object): void => void writeSync(1, `${JSON.stringify(fact)}\n`)

const program = (result: number): object => ({
  steps: [
    { op: 'math', expression: `x * 0 + ${result}`, output: 'result' },
    { op: 'return', value: 'result' },
  ],
})

// One agent proposes more in a moment than is usual.
const ownerLimits = {
  pending: 100_000,
  proposalsPerMinute: 10_000,
  liveTools: 100_000,
  bytes: 1_000_000_000,
}
writeFileSync(join(data, 'trust', 'policy.json'), JSON.stringify({ ownerLimits }), { mode: 0o600 })

const kernel = await createKernel({ data, environment: {} })
const signer = await unlockSigner(kernel.folder.trust, { id: 'crash', passphrase })
// It is killed before it could write at its end what the next one need not compile.
flushCompileCache()
say({ ready: true })

async function propose(name: string, result: number): Promise<string> {
  const outcome = await kernel.invoker.invoke(
    'toolFactory_createCompute',
    {
      tool_name: name,
      tool_description: `Gives the constant ${result} whatever comes in`,
      tool_parameters: { x: { type: 'number' } },
      logic: program(result),
    },
    { principal: agent },
  )
  if (!outcome.success) throw new Error(outcome.error)
  return (outcome.output as { status: string }).status
}

async function approve(name: string, version: number): Promise<void> {
  const statement = await kernel.toolsmaker.prepareDecision({
    action: 'approve_and_activate',
    name,
    version,
    approver: 'crash',
  })
  await kernel.toolsmaker.approveTool(name, version, {
    decision: await signDecision(statement, signer),
  })
}

for (let index = 0; ; index += 1) {
  // Names far apart: one that looks like another would wait for a person.
  const name = `gives_${createHash('sha256').update(`${round} ${index}`).digest('hex').slice(0, 12)}`
  say({ name, proposing: 1 })
  if ((await propose(name, 1)) !== 'activated') throw new Error(`${name} was not approved by rule`)
  say({ name, active: 1 })
  const calls = Array.from({ length: 8 }, () =>
    kernel.invoker.invoke(name, { x: 1 }, { principal: agent }),
  )
  say({ name, proposing: 2 })
  await propose(name, 2)
  for (const { callId, success } of await Promise.all(calls)) say({ callId, success })
  if (index % 2 === 0) {
    say({ name, approving: 2 })
    await approve(name, 2)
    say({ name, active: 2 })
    const { callId, success } = await kernel.invoker.invoke(name, { x: 1 }, { principal: agent })
    say({ callId, success })
  }
  // Unfinished calls must be in flight when the process dies.
  void kernel.invoker.invoke('toolFactory_listCustomTools', {}, { principal: agent })
  await nextTurn()
}
