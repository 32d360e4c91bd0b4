import type { KnownOptions } from '@toolcrib/registry'
import type { KernelOptions } from './kernel.ts'

/** The names of all options of a kernel, apart from it: a command that only reaches a running host need not load it. */
export const kernelOptionNames: KnownOptions<KernelOptions> = {
  data: true,
  trust: true,
  environment: true,
  workingFolder: true,
  databaseUrl: true,
  tools: true,
  builtInTools: true,
  sandbox: true,
  workspace: true,
  deniedServices: { host: true, port: true, path: true },
  namespace: true,
  logger: true,
  watchDynamicTools: true,
  drainMs: true,
}
