/**
 * A host under load, made to be killed. It looks first at what hosts before it promised, then lets clients work, and says on
 * standard output what they were told. Whatever is said here must survive.
 */
import { readFileSync, writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'
import { createSigner } from '@toolcrib/toolsmaker'
import { createKernel } from '../../src/host/kernel.ts'
import { checkHost } from './check-host.ts'
import { ClientSession } from './client-session.ts'
import { Decider } from './decider.ts'
import type { Fact } from './fact.ts'
import { falsehoods } from './falsehoods.ts'
import { hostTools } from './host-tools.ts'
import { KnownTools } from './known-tools.ts'
import { Promises } from './promises.ts'
import { SeededRandom } from './seeded-random.ts'
import { makeTraffic } from './traffic.ts'
import type { WorkloadOrder } from './workload-order.ts'

// Synchronous, so that a line is out before the next step begins, and a killed process cannot have lost it.
const say = (fact: Fact): void => void writeSync(1, `${JSON.stringify(fact)}\n`)

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
// It is killed before it could write at its end what the next one need not compile.
flushCompileCache()
// Everything is loaded by now, while the host before this one is still at work.
const order = JSON.parse((await lines.next()).value as string) as WorkloadOrder

const { approver, data, databaseUrl, factsFile, namespace, round } = order
const promises = new Promises()
for (const line of readFileSync(factsFile, 'utf8').split('\n'))
  if (line !== '') promises.add(JSON.parse(line) as Fact)

const kernel = await createKernel({
  data,
  databaseUrl,
  namespace,
  environment: {},
  tools: hostTools,
})
say({ fact: 'up' })
promises.add({ fact: 'up' })
const session = new ClientSession(kernel, { say, round })
const tools = new KnownTools()
const decider = new Decider({ session, tools, signer: createSigner('grace', approver) })
const check = {
  promises,
  isSwept: databaseUrl === undefined,
  resume: () => decider.resume(),
}
await checkHost(session, check)
say({ fact: 'checked' })
if (order.isLast === true) await tryTheCheck()
else await serve()
await kernel.close()
say({ fact: 'closed' })
process.exit()

/** Whoever is not killed is told to come to an end. */
async function serve(): Promise<void> {
  const ended = new AbortController()
  const random = new SeededRandom(order.seed)
  const traffic = makeTraffic({ session, tools, decider, random, round, signal: ended.signal })
  await lines.next()
  ended.abort()
  await traffic
}

/** Looks once more, told what no host ever said: all of it has to be found. */
async function tryTheCheck(): Promise<void> {
  const found: string[] = []
  const listening = new ClientSession(kernel, {
    say: (fact) => void (fact.fact === 'broken' && found.push(fact.problem)),
    round,
  })
  for (const fact of falsehoods.flatMap(({ facts }) => facts)) promises.add(fact)
  await checkHost(listening, check)
  for (const falsehood of falsehoods)
    if (!found.some((problem) => falsehood.found.test(problem)))
      say({ fact: 'broken', problem: `the check does not find ${falsehood.found.source}` })
}
