import { defineTool, type Principal, type ToolDefinition } from '@toolcrib/registry'
import type { Toolsmaker } from '@toolcrib/toolsmaker'
import { z } from 'zod'
import { toolStatusSchema } from '../custom-tools/custom-tool-status.ts'
import { type CustomToolDeletion, deleteCustomTool } from '../custom-tools/delete-custom-tool.ts'
import { deleteN8nWorkflow, type WorkflowDeletion } from './n8n/delete-n8n-workflow.ts'
import { answerProblems, type FactoryFailure } from './factory-failure.ts'
import type { N8nToolKeeper } from './n8n/n8n-factory-options.ts'
import { ownVersions } from '../custom-tools/own-versions.ts'

interface DeleteInput {
  readonly tool_name: string
  readonly delete_n8n_workflow?: boolean | undefined
}

const nameField = z.string().describe('Name of the tool to delete; you must own it.')
const plainInput: z.ZodType<DeleteInput> = z.strictObject({ tool_name: nameField })
const inputWithWorkflow: z.ZodType<DeleteInput> = z.strictObject({
  tool_name: nameField,
  delete_n8n_workflow: z
    .boolean()
    .default(false)
    .describe(
      'Also deletes the workflow of an n8n tool from n8n, for good. Without it the workflow stays there, not live. Works later too.',
    ),
})

const outputSchema = z.object({
  success: z.boolean(),
  toolName: z.string(),
  status: toolStatusSchema.optional(),
  version: z.number().optional(),
  contentHash: z.string().optional(),
  n8nWorkflow: z
    .enum(['deleted', 'absent', 'left', 'kept'])
    .optional()
    .describe('What became of the workflow: "left" is what should be gone and is not.'),
  left: z.array(z.string()).optional().describe('What is, or may be, still in n8n.'),
  message: z.string().optional().describe('What was changed.'),
  error: z.string().optional().describe('What is wrong and what to do.'),
  errorCode: z.string().optional(),
})

function messageFor({ toolName, deactivated, withdrawn }: CustomToolDeletion): string {
  const changed = [
    ...(deactivated === undefined ? [] : [`version ${deactivated.version} is out of use`]),
    ...withdrawn.map(({ version }) => `the proposal of version ${version} is taken back`),
  ]
  const what = changed.length === 0 ? 'it was not in use and nothing waited' : changed.join(', ')
  return `${toolName}: ${what}. Its versions and their history stay on record; bringing it back needs a person.`
}

/** What deleting answers. */
type DeleteAnswer = z.infer<typeof outputSchema>

const noWorkflow = { workflow: 'absent', left: [] } as const satisfies WorkflowDeletion

function addWorkflow(answer: DeleteAnswer, deletion: WorkflowDeletion): DeleteAnswer {
  const { left, reason, workflow } = deletion
  const message = answer.message ?? ''
  if (workflow !== 'left') {
    const said =
      workflow === 'deleted'
        ? 'Its workflow is deleted from n8n.'
        : 'There is no workflow of it in n8n.'
    return { ...answer, n8nWorkflow: workflow, message: `${message} ${said}` }
  }
  const why = reason === undefined ? '' : ` ${reason}`
  const error = `The tool is out of use, but n8n still has: ${left.join('; ')}.${why} Delete it once more later, with delete_n8n_workflow, to remove that.`
  return {
    ...answer,
    success: false,
    n8nWorkflow: workflow,
    left: [...left],
    error: error.slice(0, 4_000).toWellFormed(),
    errorCode: 'WORKFLOW_LEFT',
  }
}

/** `toolFactory_deleteCustomTool`: takes a tool of whoever calls out of use, and its workflow out of n8n where that is asked for. */
export function createDeleteFactoryTool(
  toolsmaker: Pick<Toolsmaker, 'forAgent'>,
  keeper?: N8nToolKeeper,
): ToolDefinition {
  const remove = async (
    { delete_n8n_workflow: isWorkflowToo = false, tool_name: name }: DeleteInput,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<DeleteAnswer | FactoryFailure> =>
    answerProblems(name, async () => {
      signal.throwIfAborted()
      const reason = `Deleted by ${principal.kind} ${principal.id}`
      const deletion = await deleteCustomTool(name, { toolsmaker, principal, reason })
      const changed = deletion.deactivated ?? deletion.withdrawn[0]
      const answer: DeleteAnswer = {
        success: true,
        toolName: name,
        ...(changed === undefined
          ? {}
          : { status: changed.status, version: changed.version, contentHash: changed.contentHash }),
        message: messageFor(deletion),
      }
      if (keeper === undefined) return answer
      const isN8n = ownVersions(toolsmaker.forAgent(principal), name).some(
        ({ kind }) => kind === 'n8n',
      )
      if (!isWorkflowToo) return isN8n ? { ...answer, n8nWorkflow: 'kept' } : answer
      // Out of use comes first and always works; what lives outside may have to wait.
      return addWorkflow(answer, isN8n ? await deleteN8nWorkflow(name, keeper, signal) : noWorkflow)
    })
  return defineTool({
    name: 'toolFactory_deleteCustomTool',
    description:
      'Takes a made tool of yours out of use at once, and takes back its versions that wait for approval. The record of what ' +
      'it was stays. Bringing the tool back needs a person.',
    inputSchema: keeper === undefined ? plainInput : inputWithWorkflow,
    outputSchema,
    risk: 'medium',
    annotations: {
      title: 'Delete a made tool',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
    describeCall: ({ delete_n8n_workflow: isWorkflowToo, tool_name: name }) =>
      `Delete the made tool ${JSON.stringify(name)}${isWorkflowToo === true ? ' and its workflow in n8n' : ''}`,
    execute: (input, signal, { principal }) => remove(input, principal, signal),
  })
}
