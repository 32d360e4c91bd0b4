import { createMemoryEventStore } from '@toolcrib/toolsmaker'
import { makeFolder, openFolder } from './bench-of-tests.ts'
import { describeEventStore } from './event-store-contract.ts'

describeEventStore('in memory', async () => ({
  durable: false,
  open: async (namespace) => createMemoryEventStore(namespace === undefined ? {} : { namespace }),
  remove: async () => undefined,
}))

describeEventStore('in a folder', async () => {
  const folder = await makeFolder()
  return {
    durable: true,
    open: (namespace) => openFolder(folder.path, namespace),
    remove: () => folder.remove(),
  }
})
