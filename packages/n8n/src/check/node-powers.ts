import type { N8nNode } from '../n8n-workflow.ts'
import { isExpression } from './expression-parts.ts'

/** Nodes that reach the files, processes or network services of the machine that n8n runs on, or n8n's administration. */
const powerfulTypes = [
  'n8n-nodes-base.executeCommand',
  'n8n-nodes-base.localFileTrigger',
  'n8n-nodes-base.readWriteFile',
  'n8n-nodes-base.readBinaryFile',
  'n8n-nodes-base.readBinaryFiles',
  'n8n-nodes-base.writeBinaryFile',
  'n8n-nodes-base.readPDF',
  'n8n-nodes-base.git',
  'n8n-nodes-base.ssh',
  'n8n-nodes-base.n8n',
  'n8n-nodes-base.n8nTrigger',
  'n8n-nodes-base.workflowTrigger',
  // Made to crash or fill the server, for tests of it.
  'n8n-nodes-base.debugHelper',
]

const codeTypes = [
  'n8n-nodes-base.code',
  'n8n-nodes-base.function',
  'n8n-nodes-base.functionItem',
  'n8n-nodes-base.aiTransform',
  '@n8n/n8n-nodes-langchain.code',
  '@n8n/n8n-nodes-langchain.toolCode',
]

const subWorkflowTypes = [
  'n8n-nodes-base.executeWorkflow',
  // An agent that n8n keeps, with tools of its own.
  'n8n-nodes-base.messageAnAgent',
  '@n8n/n8n-nodes-langchain.toolWorkflow',
  '@n8n/n8n-nodes-langchain.retrieverWorkflow',
]

export function isPowerfulType(type: string): boolean {
  return isOneOf(type, powerfulTypes)
}

/** Whether a node speaks with n8n's administration through another node, by its credential. */
export function hasAdminCredential({ credentials = {}, parameters }: N8nNode): boolean {
  return 'n8nApi' in credentials || parameters['nodeCredentialType'] === 'n8nApi'
}

export function isCodeType(type: string): boolean {
  return isOneOf(type, codeTypes)
}

/** Nodes that also run a program when their parameters say so. */
export function holdsCode({ type, parameters }: N8nNode): boolean {
  const mayBe = (key: string, wanted: string): boolean => {
    const value = parameters[key]
    return value === wanted || (typeof value === 'string' && isExpression(value))
  }
  if (type === 'n8n-nodes-base.sort') return mayBe('type', 'code')
  // Its SQL may hold JavaScript between two backticks.
  if (type === 'n8n-nodes-base.merge') return mayBe('mode', 'combineBySql')
  if (type !== 'n8n-nodes-base.itemLists') return false
  return mayBe('operation', 'sort') && mayBe('type', 'code')
}

export function isSubWorkflowNode({ type }: N8nNode): boolean {
  return isOneOf(type, subWorkflowTypes)
}

/** Also in the forms that n8n makes for agents. */
function isOneOf(type: string, types: readonly string[]): boolean {
  return types.some((each) => type === each || type === `${each}Tool` || type === `${each}HitlTool`)
}
