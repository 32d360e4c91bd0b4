import { defineTool, type ToolDefinition } from '@toolcrib/registry'
import type { Toolsmaker } from '@toolcrib/toolsmaker'
import { z } from 'zod'
import { toolStatusSchema } from './custom-tool-status.ts'
import { type CustomToolDeletion, deleteCustomTool } from './delete-custom-tool.ts'
import { answerProblems } from './factory-failure.ts'

const inputSchema = z.strictObject({
  tool_name: z.string().describe('Name of the tool to delete; you must own it.'),
})

const outputSchema = z.object({
  success: z.boolean(),
  toolName: z.string(),
  status: toolStatusSchema.optional(),
  version: z.number().optional(),
  contentHash: z.string().optional(),
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

/** `toolFactory_deleteCustomTool`: takes a tool of whoever calls out of use. */
export function createDeleteFactoryTool(toolsmaker: Pick<Toolsmaker, 'forAgent'>): ToolDefinition {
  return defineTool({
    name: 'toolFactory_deleteCustomTool',
    description:
      'Takes a made tool of yours out of use at once, and takes back its versions that wait for approval. The record of what ' +
      'it was stays. Bringing the tool back needs a person.',
    inputSchema,
    outputSchema,
    risk: 'medium',
    annotations: {
      title: 'Delete a made tool',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
    describeCall: ({ tool_name: name }) => `Delete the made tool ${JSON.stringify(name)}`,
    execute: ({ tool_name: name }, signal, { principal }) =>
      answerProblems(name, async () => {
        signal.throwIfAborted()
        const reason = `Deleted by ${principal.kind} ${principal.id}`
        const deletion = await deleteCustomTool(name, { toolsmaker, principal, reason })
        const changed = deletion.deactivated ?? deletion.withdrawn[0]
        return {
          success: true,
          toolName: name,
          ...(changed === undefined
            ? {}
            : {
                status: changed.status,
                version: changed.version,
                contentHash: changed.contentHash,
              }),
          message: messageFor(deletion),
        }
      }),
  })
}
