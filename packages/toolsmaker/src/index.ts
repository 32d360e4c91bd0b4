export type { AgentToolsmaker, WaitOptions } from './agent-toolsmaker.ts'
export { approvalPolicySchema, defaultApprovalPolicy } from './approval-policy.ts'
export type { ApprovalPolicy, ApprovalRule } from './approval-policy.ts'
export type { ApprovalSigner } from './approval-signer.ts'
export { createApprover, unlockSigner } from './approver-directory.ts'
export type { NewApprover } from './approver-directory.ts'
export type { BuildOutcome } from './build-outcome.ts'
export { toolCapabilities } from './capability.ts'
export type { PinnedCallee, ToolCapability } from './capability.ts'
export { createBuildRequestFromIntent } from './create-build-request.ts'
export { createToolsmaker } from './create-toolsmaker.ts'
export type {
  DecisionStatement,
  ResumeStatement,
  SignedDecision,
  VersionAction,
  VersionStatement,
} from './decision-statement.ts'
export { createSigner, generateKeyPair } from './ed25519-key.ts'
export type { KeyPairText } from './ed25519-key.ts'
export { toolsmakerErrorCatalogue } from './error-catalogue.ts'
export type { ToolsmakerErrorCode } from './error-catalogue.ts'
export type { AuditVerification, EventStore, StoreRecovery, StoredEvent } from './event-store.ts'
export { openFileEventStore } from './file-event-store.ts'
export type { FileEventStoreOptions } from './file-event-store.ts'
export type {
  Actor,
  ApprovedBy,
  LifecycleEvent,
  LifecycleEventType,
  NamespaceEvent,
  PolicyBlockFacts,
  VersionEvent,
} from './lifecycle-event.ts'
export { createMemoryEventStore } from './memory-event-store.ts'
export { createMemoryTrust } from './memory-trust.ts'
export type { MemoryTrust, MemoryTrustOptions } from './memory-trust.ts'
export type { PolicyBlock } from './policy-block.ts'
export { defaultProposalLimits } from './proposal-limits.ts'
export type { ProposalLimits } from './proposal-limits.ts'
export type { ReviewHistoryEntry, ToolReview } from './review.ts'
export { signDecision } from './sign-decision.ts'
export { realFileSystem } from './store-file-system.ts'
export type { StoreFile, StoreFileSystem } from './store-file-system.ts'
export type { ToolBuildRequest } from './tool-build-request.ts'
export type { IntentInput, ToolIntent } from './tool-intent.ts'
export type {
  CompiledTool,
  DeployOptions,
  KindHookOptions,
  OutsideState,
  RenderedSource,
  RetireOptions,
  ToolKind,
  ToolProposal,
} from './tool-kind.ts'
export { toolPolicyOf } from './tool-policy-of.ts'
export type { PolicyContent } from './tool-policy-of.ts'
export type {
  ExampleFixture,
  ToolContent,
  ToolExample,
  ToolRunLimits,
  ToolSpec,
  ToolVisibility,
} from './tool-spec.ts'
export { lifecycleTransitions } from './lifecycle-transitions.ts'
export type { Transition } from './lifecycle-transitions.ts'
export { toolStatuses } from './tool-status.ts'
export type { ToolStatus } from './tool-status.ts'
export type {
  ActivationLimits,
  DecisionRequest,
  DecisionSource,
  InspectToolsOptions,
  LoadReport,
  ProjectionReport,
  ProposalOptions,
  RemovalOptions,
  ToolInspection,
  Toolsmaker,
} from './toolsmaker.ts'
export type { ToolsmakerOptions } from './toolsmaker-options.ts'
export { openTrustDirectory } from './trust-directory.ts'
export type { SignedCheckpoint, TrustCheckpoint } from './trust-checkpoint.ts'
export type { Approver, Revocation, Trust } from './trust.ts'
export type { UnrecordedCustomTool } from './unrecorded-custom-tools.ts'
export type {
  EvidenceOperation,
  EvidenceRun,
  ValidationCheck,
  ValidationReport,
} from './validation-report.ts'
export type { VersionSummary } from './version-summary.ts'
export type { EventQuery } from './list-events.ts'
