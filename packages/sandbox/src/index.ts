export { createSandbox } from './host/create-sandbox.ts'
export type { SandboxOptions } from './host/create-sandbox.ts'
export { sandboxErrorCatalogue } from './error-catalogue.ts'
export type { SandboxErrorCode } from './error-catalogue.ts'
export type {
  GuestLog,
  GuestPosition,
  HostCallRecord,
  HostOperation,
  HostOperationOptions,
  HostOperations,
  Sandbox,
  SandboxCallFacts,
  SandboxCallOptions,
  SandboxEngine,
  SandboxFailure,
  SandboxFailureReason,
  SandboxLoadOptions,
  SandboxLoadOutcome,
  SandboxMode,
  SandboxModule,
  SandboxOutcome,
} from './sandbox.ts'
