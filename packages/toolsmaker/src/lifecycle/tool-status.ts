/** Every state a version can be in. */
export const toolStatuses = [
  'draft',
  'validated',
  'approval_required',
  'approved',
  'activated',
  'rejected',
  'expired',
  'deactivated',
  'revoked',
] as const

/** The state of one version of a made tool. */
export type ToolStatus = (typeof toolStatuses)[number]
