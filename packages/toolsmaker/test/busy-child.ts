import { hash } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { ToolRegistry } from '@toolcrib/registry'
import {
  type KeyPairText,
  createSigner,
  createToolsmaker,
  openFileEventStore,
  openTrustDirectory,
} from '@toolcrib/toolsmaker'
import { createAdderKind } from './adder-kind.ts'
import { adderIntent, agent } from './bench-of-tests.ts'

// Runs commands until it is killed, and says after each which event is durable: `<sequence> <hash>`.

const [folder = '', keys = '', seed = ''] = process.argv.slice(2)
const grace = createSigner('grace', JSON.parse(keys) as KeyPairText)
const store = await openFileEventStore({ directory: join(folder, 'store') })
const trust = await openTrustDirectory(join(folder, 'trust'))
const registry = new ToolRegistry()
const maker = await createToolsmaker({ store, trust, registry, kinds: [createAdderKind()] })
await maker.loadActiveTools()
const ada = maker.forAgent(agent)
// It is killed before it could write at its end what the next one need not compile.
flushCompileCache()

async function acknowledge(): Promise<void> {
  const { sequence } = store
  process.stdout.write(`${sequence} ${await store.hashAt(sequence)}\n`)
}

for (let round = 0; ; round += 1) {
  const name = `sum_${hash('sha256', `${seed} ${round}`, 'hex').slice(0, 10)}`
  const commands: (() => Promise<unknown>)[] = [
    () => ada.buildToolFromIntent(adderIntent({ name })),
    () => ada.buildToolFromIntent(adderIntent({ name, definition: { add: 2 } })),
    () => maker.approveTool(name, 2, { signer: grace }),
    () => maker.activateToolVersion(name, 2, { signer: grace }),
    () => maker.rollbackTool(name, { signer: grace }),
    () =>
      round % 3 === 0 ? maker.revokeTool(name, 2, { reason: 'not needed' }) : maker.expirePending(),
    () => (round % 2 === 0 ? ada.deactivate(name) : maker.expirePending()),
  ]
  for (const command of commands) {
    await command()
    await acknowledge()
  }
}
