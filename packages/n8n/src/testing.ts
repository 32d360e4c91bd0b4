export { createN8nDouble } from './double/create-n8n-double.ts'
export type { N8nDoubleVersion, WorkflowMatch } from './double/double-state.ts'
export type {
  EditBehindTheBack,
  ExecutionInDouble,
  N8nDouble,
  N8nDoubleOptions,
  RecordedRequest,
  WorkflowInDouble,
} from './double/n8n-double.ts'
export type { PlannedCut, PlannedFailure, RequestMatch, StartingStage } from './double/trouble.ts'
export type { WebhookCall, WorkflowBehaviour, WorkflowRun } from './double/workflow-behaviour.ts'
