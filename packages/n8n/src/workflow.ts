export type {
  NodeCatalogue,
  NodeFacts,
  NodePolicy,
  WorkflowCheck,
  WorkflowCheckOptions,
  WorkflowProblem,
} from './workflow-check.ts'
export type {
  N8nConnections,
  N8nConnectionTarget,
  N8nCredentialReference,
  N8nNode,
  N8nWorkflow,
} from './n8n-workflow.ts'
