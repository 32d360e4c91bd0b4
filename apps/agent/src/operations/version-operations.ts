import {
  type DecisionStatement,
  type SignedDecision,
  type SigningReview,
  type VersionSummary,
  readDecision,
} from '@toolcrib/toolsmaker'
import { ToolError } from '@toolcrib/registry'
import { z } from 'zod'
import { defineOperation } from './operation.ts'

const version = z.strictObject({ name: z.string(), version: z.number().int().positive() })
const reason = z
  .string()
  .trim()
  .min(1, 'a reason is required: it goes back to the agent and into the record')
/** The toolsmaker looks at every field of it. */
const signed = z.looseObject({}) as unknown as z.ZodType<SignedDecision>

/** `versions`: all versions of one tool, or of every tool. */
export const listVersions = defineOperation(
  z.strictObject({ name: z.string().optional() }),
  ({ name }, { kernel }) => kernel.toolsmaker.listVersions(name),
)

/** `rollback`: the version that goes into use again; the lifecycle says which. */
export const findRollback = defineOperation(
  z.strictObject({ name: z.string(), toVersion: z.number().int().positive().optional() }),
  ({ name, toVersion }, { kernel }) =>
    kernel.toolsmaker.findRollback(name, toVersion === undefined ? {} : { toVersion }),
)

/** `approvals list`: what waits for a person, oldest first. */
export const listPending = defineOperation(z.strictObject({}), async (_input, { kernel }) => {
  await kernel.toolsmaker.expirePending()
  return kernel.toolsmaker.listPending()
})

/** What a person reads before deciding. */
export interface ReviewedVersion extends SigningReview {
  readonly summary: VersionSummary
}

/** `approvals show`: the review of a version. */
export const showReview = defineOperation(
  version,
  async ({ name, version: number }, { kernel }): Promise<ReviewedVersion> => {
    const reviewed = await kernel.toolsmaker.readSigningReview(name, number)
    const summary = kernel.toolsmaker.listVersions(name).find((each) => each.version === number)
    if (reviewed === undefined || summary === undefined)
      throw new ToolError<string>(
        'VERSION_NOT_FOUND',
        `There is no version ${number} of "${name}".`,
        {
          data: { name, version: number },
        },
      )
    return { summary, ...reviewed }
  },
)

/** `approvals validate`: checks and tries a version once more, where its review is not what is on record. */
export const validateAgain = defineOperation(
  version,
  ({ name, version: number }, { kernel, signal }) =>
    kernel.toolsmaker.validateAgain(name, number, { signal }),
)

/** What stops all made tools, and what the decision to end it has to name. */
export const showPause = defineOperation(z.strictObject({}), (_input, { kernel }) => {
  const { namespace, paused, store } = kernel.toolsmaker
  if (paused === undefined) return null
  const { by, eventHash: lifts, reason: why, sequence: basis, since } = paused
  return { since, by, reason: why, place: { store, namespace, basis, lifts } }
})

/** In what the event log is not the one that the host knows, and what the decision to accept it has to name. */
export const showLogProblem = defineOperation(z.strictObject({}), async (_input, { kernel }) => {
  const { namespace, store } = kernel.toolsmaker
  const problem = await kernel.toolsmaker.readLogProblem()
  if (problem === undefined) return null
  const { found, known, reason: why } = problem
  return { reason: why, known, found, place: { store, namespace, basis: found.sequence } }
})

/** The statement that an approver signs on the command line's side; the host never sees the private key. */
export const prepareDecision = defineOperation(
  z.discriminatedUnion('action', [
    z.strictObject({
      action: z.enum(['approve', 'activate', 'approve_and_activate', 'share']),
      name: z.string(),
      version: z.number().int().positive(),
      approver: z.string(),
      contentHash: z.string().optional(),
      reportHash: z.string().optional(),
    }),
    z.strictObject({ action: z.literal('resume'), approver: z.string() }),
    z.strictObject({ action: z.literal('accept_log'), approver: z.string() }),
  ]),
  (request, { kernel }): Promise<DecisionStatement> =>
    kernel.toolsmaker.prepareDecision(
      request as Parameters<typeof kernel.toolsmaker.prepareDecision>[0],
    ),
)

/** Carries out a signed decision; the signature is what grants, not the way it came. */
export const decide = defineOperation(
  z.strictObject({ decision: signed }),
  async ({ decision }, { kernel }) => {
    const { toolsmaker } = kernel
    const { statement } = readDecision(decision)
    switch (statement.action) {
      case 'approve':
      case 'approve_and_activate':
        return toolsmaker.approveTool(statement.name, statement.version, { decision })
      case 'activate':
        return toolsmaker.activateToolVersion(statement.name, statement.version, { decision })
      case 'share':
        return toolsmaker.shareTool(statement.name, statement.version, { decision })
      case 'resume':
        return toolsmaker.resumeTools({ decision })
      case 'accept_log':
        return toolsmaker.acceptLog({ decision })
      default:
        throw new ToolError<string>(
          'DECISION_INVALID',
          'The decision names no action that this host knows.',
        )
    }
  },
)

/** `approvals reject`. */
export const rejectVersion = defineOperation(
  version.extend({ reason }),
  ({ name, version: number, reason: why }, { kernel, principal }) =>
    kernel.toolsmaker.rejectTool(name, number, { reason: why, by: principal }),
)

/** `revoke`. */
export const revokeVersion = defineOperation(
  version.extend({ reason }),
  ({ name, version: number, reason: why }, { kernel, principal }) =>
    kernel.toolsmaker.revokeTool(name, number, { reason: why, by: principal }),
)

/** `pause`: the kill switch for all made tools. Gives what could not be stopped on n8n yet. */
export const pauseTools = defineOperation(
  z.strictObject({ reason }),
  async ({ reason: why }, { kernel, principal }) => {
    await kernel.toolsmaker.pauseTools({ reason: why, by: principal })
    const leftBehind = (await kernel.n8n?.kind?.listLeftBehind()) ?? []
    return { ...kernel.toolsmaker.paused, leftBehind }
  },
)
