import type { ComputeLogic } from '@toolcrib/compute'
import { computeLogicSchema } from '@toolcrib/compute/schema'
import type { N8nWorkflow } from '@toolcrib/n8n'
import { validateWorkflow } from '@toolcrib/n8n/workflow'
import { describeNameProblem, type JsonSchema, type ToolRisk } from '@toolcrib/registry'
import { z } from 'zod'
import { toolInputsSchema, type ToolParameters } from './tool-parameters.ts'

/** A custom tool as a file `custom-tools/<name>.json` holds it. */
export interface CustomTool {
  readonly name: string
  readonly description: string
  /** Which kind of tool it is. */
  readonly type: 'compute' | 'n8n'
  /** By name, or as a JSON Schema where a tool needs more than that can say. */
  readonly parameters: ToolParameters | JsonSchema
  readonly riskLevel: ToolRisk
  /** ISO 8601. */
  readonly createdAt: string
  /** Who made it, in the words of the file; gives no rights. */
  readonly createdBy: string
  /** The workflow behind a tool of type `n8n`, by its id on a server; what it is, only that server knows. */
  readonly n8nWorkflowId?: string | undefined
  /** The workflow of a tool of type `n8n` itself. */
  readonly workflow?: N8nWorkflow | undefined
  /** The template it was made from. */
  readonly templateSource?: string | undefined
  /** The program of a tool of type `compute`. */
  readonly logic?: ComputeLogic | undefined
}

const logicSchema = z
  .custom<ComputeLogic>((value) => typeof value === 'object' && value !== null, {
    error: 'must be a program: { "steps": [ … ] }',
  })
  .superRefine((logic, context) => {
    const { issues = [] } = computeLogicSchema['~standard'].validate(logic)
    for (const { path, message } of issues.slice(0, 20))
      context.addIssue({ code: 'custom', path: [...path], message })
  })

/** What a workflow may contain is for the kind to judge, by its policy; here it only has to be one. */
const anyPolicy = { allowCode: true, allowSubWorkflows: true } as const

const workflowSchema = z.unknown().transform((value, context): N8nWorkflow => {
  const checked = validateWorkflow(value, { policy: anyPolicy, maxProblems: 20 })
  if (checked.ok) return checked.workflow
  for (const { message, path, severity } of checked.problems)
    if (severity === 'error')
      context.addIssue({ code: 'custom', message: path === '' ? message : `${path}: ${message}` })
  return z.NEVER
})

/** The schema of {@link CustomTool}. A program is checked completely, with the default limits. */
export const customToolSchema: z.ZodType<CustomTool> = z
  .strictObject({
    name: z.string().superRefine((name, context) => {
      const problem = describeNameProblem(name)
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
    }),
    description: z.string().trim().min(1).max(16_384),
    type: z.enum(['compute', 'n8n']),
    parameters: toolInputsSchema,
    riskLevel: z.enum(['low', 'medium', 'high']),
    createdAt: z.iso.datetime({ offset: true }),
    createdBy: z.string().min(1).max(200),
    n8nWorkflowId: z.string().min(1).max(200).optional(),
    templateSource: z.string().min(1).max(200).optional(),
    workflow: workflowSchema.optional(),
    logic: logicSchema.optional(),
  })
  .superRefine((tool, context) => {
    if (tool.type === 'compute' ? tool.logic : (tool.workflow ?? tool.n8nWorkflowId)) return
    const needed = tool.type === 'compute' ? 'logic' : 'workflow'
    const message = `is needed by a tool of type ${tool.type}${tool.type === 'n8n' ? ', or n8nWorkflowId' : ''}`
    context.addIssue({ code: 'custom', path: [needed], message })
  })
