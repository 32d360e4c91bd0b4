import { type Envelope, errorEnvelope } from '../host/envelope.ts'
import { listDynamicFiles, makeToolFromFile, trySandboxMode } from './code-operations.ts'
import { health, listAuditEvents, verifyAudit } from './host-operations.ts'
import { queryLog, showCall, showStatistics } from './log-operations.ts'
import { showN8n } from './n8n-operations.ts'
import type { Operation, OperationContext } from './operation.ts'
import { callTool, listTools, makeTool, showToolPolicy, showTool } from './tool-operations.ts'
import {
  decide,
  findRollback,
  listPending,
  listVersions,
  pauseTools,
  prepareDecision,
  rejectVersion,
  revokeVersion,
  showLogProblem,
  showPause,
  showReview,
  validateAgain,
} from './version-operations.ts'
import { hostError } from '../host-error.ts'

/** Everything that the command line can ask a host. None of it is reachable for an agent or a tool. */
const operations = {
  health,
  'audit.list': listAuditEvents,
  'audit.verify': verifyAudit,
  'audit.show-problem': showLogProblem,
  'tools.list': listTools,
  'tools.show': showTool,
  'tools.policy': showToolPolicy,
  'tools.call': callTool,
  'tools.make': makeTool,
  'tools.make-file': makeToolFromFile,
  'tools.dynamic': listDynamicFiles,
  'tools.n8n': showN8n,
  'code.try': trySandboxMode,
  'versions.list': listVersions,
  'versions.find-rollback': findRollback,
  'versions.revoke': revokeVersion,
  'approvals.list': listPending,
  'approvals.show': showReview,
  'approvals.reject': rejectVersion,
  'approvals.validate': validateAgain,
  'decisions.prepare': prepareDecision,
  'decisions.carry-out': decide,
  'tools.pause': pauseTools,
  'tools.show-pause': showPause,
  'log.query': queryLog,
  'log.show': showCall,
  'log.statistics': showStatistics,
} as const

/** The name of an operation. */
export type OperationName = keyof typeof operations

type OperationOf<Name extends OperationName> = (typeof operations)[Name]

/** What an operation takes. */
export type OperationInput<Name extends OperationName> =
  OperationOf<Name> extends Operation<infer Input, infer _Output> ? Input : never

/** What an operation gives. */
export type OperationOutput<Name extends OperationName> = Awaited<
  ReturnType<OperationOf<Name>['run']>
>

/** Runs an operation by name; never throws, whatever came in. */
export async function runOperation(
  name: string,
  input: unknown,
  context: OperationContext,
): Promise<Envelope> {
  try {
    if (!Object.hasOwn(operations, name))
      throw hostError('REQUEST_INVALID', `There is no operation "${name}".`)
    // The input is checked by the schema of the very operation that gets it.
    const operation = operations[name as OperationName] as Operation<unknown, unknown>
    const parsed = operation.input.safeParse(input)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      const place = issue?.path.join('.') ?? ''
      throw hostError('REQUEST_INVALID', `${place === '' ? 'The input' : place}: ${issue?.message}`)
    }
    return { ok: true, data: await operation.run(parsed.data, context) }
  } catch (error) {
    return errorEnvelope(error)
  }
}
