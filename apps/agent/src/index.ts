export type {
  BuiltInStanding,
  BuiltInToolStanding,
  SecretStanding,
} from './tools/built-in/built-in-standing.ts'
export type { Containment } from './tools/built-in/shell-decision.ts'
export type { ToolSettings } from './settings/tool-settings.ts'
export { resolveDataFolder } from './host/data-folder.ts'
export type { DataFolder, DataFolderOptions } from './host/data-folder.ts'
export type { Envelope } from './host/envelope.ts'
export { openHost } from './host/open-host.ts'
export type { OpenHostOptions } from './host/open-host.ts'
export type { Host } from './host/host.ts'
export { localPerson, serveHost } from './host/serve-host.ts'
export type { ServedHost } from './host/serve-host.ts'
export { hostErrorCatalogue } from './host-error.ts'
export type { HostErrorCode } from './host-error.ts'
export { createKernel } from './host/kernel.ts'
export type { Health, Kernel, KernelOptions, ToolCounts } from './host/kernel.ts'
export type { OperationInput, OperationName, OperationOutput } from './operations/catalogue.ts'
