import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from '@toolcrib/sandbox'
import type { ApprovalPolicyFields } from '@toolcrib/toolsmaker'
import { createCodeKind } from '@toolcrib/kind-code'
import { createFactoryTools, createDynamicToolService } from '../src/index.ts'
import type { DynamicToolService, DynamicToolServiceOptions } from '../src/index.ts'
import { type HostParts, openHost, type TestHost } from './open-host.ts'

/** A host whose agents can make code tools, with a folder of dynamic ones. */
export interface CodeHost extends TestHost {
  readonly folder: string
  /** Writes a file into the folder. */
  write(file: string, source: string): Promise<void>
  /** Makes a service for the folder; it is shut down with the host. */
  openService(options?: Partial<DynamicToolServiceOptions>): DynamicToolService
  restart(): Promise<CodeHost>
}

/** Opens a host with the code kind in a sandbox. Nothing that its tools do reaches outside. */
export async function openCodeHost(
  sandbox: Sandbox,
  policy: ApprovalPolicyFields = {},
  parts: Pick<HostParts, 'store'> = {},
): Promise<CodeHost> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-'))
  const host = await openHost(policy, {
    ...parts,
    kinds: [createCodeKind({ sandbox })],
    makeTools: (toolsmaker) => createFactoryTools({ toolsmaker, code: { sandbox } }),
  })
  return extend(host, { folder, sandbox })
}

function extend(
  host: TestHost,
  { folder, sandbox }: { readonly folder: string; readonly sandbox: Sandbox },
): CodeHost {
  const services: DynamicToolService[] = []
  const shutdown = async (): Promise<void> => {
    await Promise.all(services.splice(0).map((service) => service.shutdown()))
  }
  return {
    ...host,
    folder,
    write: (file, source) => writeFile(join(folder, file), source),
    openService: (options = {}) => {
      const { logger, registry, toolsmaker } = host
      const service = createDynamicToolService({
        toolsmaker,
        registry,
        sandbox,
        directory: folder,
        logger,
        ...options,
      })
      services.push(service)
      return service
    },
    restart: async () => {
      await shutdown()
      return extend(await host.restart(), { folder, sandbox })
    },
    close: async () => {
      await shutdown()
      await host.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
