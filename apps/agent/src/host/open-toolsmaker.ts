import { join } from 'node:path'
import type { Logger, ToolRegistry } from '@toolcrib/registry'
import {
  type ToolKind,
  type Toolsmaker,
  createToolsmaker,
  openFileEventStore,
  openTrustDirectory,
} from '@toolcrib/toolsmaker'
import { builtInToolNames } from '../tools/built-in/built-in-standing.ts'
import type { DataFolder } from './data-folder.ts'

/** What the lifecycle of a host is made of. */
export interface ToolsmakerPlace {
  readonly kinds: readonly ToolKind[]
  readonly folder: DataFolder
  readonly namespace: string
  readonly registry: ToolRegistry
  readonly logger: Logger
  /** Private addresses that the operator has opened for made tools. @default none */
  readonly privateAddresses?: readonly string[] | undefined
}

/** Opens the lifecycle of made tools on the store and the trust of a host. */
export async function openToolsmaker({
  folder,
  namespace,
  registry,
  logger,
  kinds,
  privateAddresses = [],
}: ToolsmakerPlace): Promise<Toolsmaker> {
  const directory =
    namespace === 'default' ? folder.store : join(folder.store, 'namespaces', namespace)
  const trust = await openTrustDirectory(folder.trust, { storeDirectory: folder.store })
  const store = await openFileEventStore({ directory, namespace })
  try {
    return await createToolsmaker({
      store,
      trust,
      kinds,
      registry,
      // Also while code tools and n8n tools are off.
      reservedNames: [
        ...builtInToolNames,
        'create_dynamic_tool',
        'toolFactory_createFromTemplate',
        'toolFactory_createFromDescription',
      ],
      privateAddresses,
      namespace,
      logger,
    })
  } catch (error) {
    await store.close()
    throw error
  }
}
