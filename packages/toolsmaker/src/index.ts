export type { AgentToolsmaker, WaitOptions } from './surfaces/agent-toolsmaker.ts'
export { approvalPolicySchema, defaultApprovalPolicy } from './approvals/approval-policy.ts'
export type {
  ApprovalPolicy,
  ApprovalPolicyFields,
  ApprovalRule,
} from './approvals/approval-policy.ts'
export type { OwnerLimits } from './approvals/owner-limits.ts'
export type { ApprovalSigner } from './trust/approval-signer.ts'
export { createApprover, unlockSigner } from './trust/approver-directory.ts'
export type { NewApprover } from './trust/approver-directory.ts'
export type { BuildOutcome } from './proposals/build-outcome.ts'
export { toolCapabilities } from './proposals/capability.ts'
export type { PinnedCallee, ToolCapability } from './proposals/capability.ts'
export { createBuildRequestFromIntent } from './proposals/create-build-request.ts'
export { createToolsmaker } from './create-toolsmaker.ts'
export type {
  DecisionStatement,
  OpenedDecision,
  ResumeStatement,
  SignedDecision,
  VersionAction,
  VersionStatement,
} from './approvals/decision-statement.ts'
export { decisionType, readDecision } from './approvals/decision-schema.ts'
export { createSigner, generateKeyPair } from './trust/ed25519-key.ts'
export type { KeyPairText } from './trust/ed25519-key.ts'
export { toolsmakerErrorCatalogue } from './error-catalogue.ts'
export type { ToolsmakerErrorCode } from './error-catalogue.ts'
export type {
  AuditVerification,
  EventStore,
  StoreRecovery,
  StoredEvent,
} from './events/event-store.ts'
export { readLogIdentity } from './events/log-identity.ts'
export type { LogIdentity, LogIdentityOptions } from './events/log-identity.ts'
export { openFileEventStore } from './events/file-event-store.ts'
export type { FileEventStoreOptions } from './events/file-event-store.ts'
export type {
  Actor,
  ApprovedBy,
  LifecycleEvent,
  LifecycleEventType,
  NamespaceEvent,
  PolicyBlockFacts,
  VersionEvent,
} from './lifecycle/lifecycle-event.ts'
export { createMemoryEventStore } from './events/memory-event-store.ts'
export { createMemoryTrust } from './trust/memory-trust.ts'
export type { MemoryTrust, MemoryTrustOptions } from './trust/memory-trust.ts'
export type { ToolStop } from './activation/callable-tools.ts'
export type { PolicyBlock } from './activation/policy-block.ts'
export { defaultProposalLimits } from './proposals/proposal-limits.ts'
export type { ProposalLimits } from './proposals/proposal-limits.ts'
export type { ReviewDifference, ReviewHistoryEntry, ToolReview } from './review/review.ts'
export { compareWithPrevious } from './review/compare-with-previous.ts'
export type { ContentComparison } from './review/compare-with-previous.ts'
export { describeReviewProblem } from './review/signing-review.ts'
export type { DecisionPlace, GeneratedReport, SigningReview } from './review/signing-review.ts'
export { signDecision } from './approvals/sign-decision.ts'
export { signStatement } from './statements/sign-statement.ts'
export { sealStatement } from './statements/statement-envelope.ts'
export type {
  EnvelopeSignature,
  OpenedStatement,
  StatementEnvelope,
} from './statements/statement-envelope.ts'
export type { StatementType } from './statements/statement-type.ts'
export { readStatement, verifyStatement } from './statements/verify-statement.ts'
export type { StatementReading } from './statements/verify-statement.ts'
export type { SignatureAlgorithmName, TrustedKey } from './trust/signature-algorithms.ts'
export { realFileSystem } from './events/store-file-system.ts'
export type { StoreFile, StoreFileSystem } from './events/store-file-system.ts'
export type { DeferredBuildRequest } from './proposals/deferred-build-request.ts'
export type { ToolBuildRequest } from './proposals/tool-build-request.ts'
export type { IntentInput, ToolIntent } from './proposals/tool-intent.ts'
export type {
  CompiledTool,
  DeployOptions,
  KindHookOptions,
  OutsideState,
  RenderedSource,
  RetireOptions,
  ImpliedRisk,
  ToolKind,
  ToolProposal,
} from './tool-kind.ts'
export { toolPolicyOf } from './validation/tool-policy-of.ts'
export type { PolicyContent } from './validation/tool-policy-of.ts'
export type {
  ExampleFixture,
  ToolContent,
  ToolExample,
  ToolRunLimits,
  ToolSpec,
  ToolVisibility,
} from './tool-spec.ts'
export { lifecycleTransitions } from './lifecycle/lifecycle-transitions.ts'
export type { Transition } from './lifecycle/lifecycle-transitions.ts'
export { toolStatuses } from './lifecycle/tool-status.ts'
export type { ToolStatus } from './lifecycle/tool-status.ts'
export type {
  ActivationLimits,
  DecisionRequest,
  DecisionSource,
  InspectToolsOptions,
  LoadReport,
  LogProblem,
  PauseInForce,
  ProjectionReport,
  ProposalOptions,
  RemovalOptions,
  ToolInspection,
  Toolsmaker,
} from './toolsmaker.ts'
export type { ToolsmakerOptions } from './toolsmaker-options.ts'
export { openTrustDirectory } from './trust/trust-directory.ts'
export type { LogHead, TrustCheckpoint } from './trust/trust-checkpoint.ts'
export type { Approver, Revocation, Trust } from './trust/trust.ts'
export type { UnrecordedCustomTool } from './projections/unrecorded-custom-tools.ts'
export type {
  EvidenceOperation,
  EvidenceRun,
  ValidationCheck,
  ValidationReport,
} from './validation/validation-report.ts'
export type { VersionSummary } from './review/version-summary.ts'
export type { EventQuery } from './events/list-events.ts'
