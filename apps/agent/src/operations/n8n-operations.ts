import { z } from 'zod'
import type { N8nReport } from '../tools/n8n/n8n-report.ts'
import type { N8nStanding } from '../tools/n8n/open-n8n-tools.ts'
import { defineOperation } from './operation.ts'

/** How n8n tools stand, and how the server and the tools on it are. */
export interface N8nState extends N8nStanding {
  /** Absent while n8n tools are off. */
  readonly report?: N8nReport
}

/** `tools n8n`: what n8n tools stand on; asks the server how it, and each tool on it, is. */
export const showN8n = defineOperation(
  z.strictObject({}),
  async (_input, { kernel: { n8n, toolsmaker }, signal }): Promise<N8nState | null> => {
    if (n8n === undefined) return null
    const used = toolsmaker
      .listVersions()
      .filter(({ kind, status }) => kind === 'n8n' && !['draft', 'rejected'].includes(status))
    const report = await n8n.report([...new Set(used.map(({ name }) => name))], signal)
    return { ...n8n.standing, ...(report === undefined ? {} : { report }) }
  },
)
