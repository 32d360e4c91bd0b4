export { bindWorkflow, findWebhook } from './bind-workflow.ts'
export { canonicalWorkflow, hashWorkflow } from './canonical-workflow.ts'
export { describeWorkflowChange } from './describe/describe-workflow-change.ts'
export { describeWorkflow } from './describe/describe-workflow.ts'
export type {
  DescribeWorkflowOptions,
  DynamicHost,
  WorkflowDescription,
} from './describe/workflow-description.ts'
export { workflowProblemCodes } from './check/problem-codes.ts'
export type { WorkflowProblemCode } from './check/problem-codes.ts'
export { commonNodeCatalogue, nodeCatalogue } from './node-catalogue.ts'
export { createServerCatalogue } from './server-catalogue.ts'
export type {
  CapabilitySource,
  ServerCatalogue,
  ServerCatalogueOptions,
} from './server-catalogue.ts'
export { validateWorkflow } from './validate-workflow.ts'
export type {
  ConditionClauses,
  ConditionTest,
  ParameterFacts,
  ParameterForm,
  ReadCondition,
} from './parameters/parameter-facts.ts'
export type {
  NodeCatalogue,
  NodeFacts,
  NodePolicy,
  NodeRequirement,
  WorkflowCheck,
  WorkflowCheckOptions,
  WorkflowLimits,
  WorkflowProblem,
} from './workflow-check.ts'
export type {
  N8nConnections,
  N8nConnectionTarget,
  N8nCredentialReference,
  N8nNode,
  N8nWorkflow,
} from './n8n-workflow.ts'
export type { WorkflowBinding } from './n8n-function.ts'
