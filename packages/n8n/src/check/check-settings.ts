import type { CheckContext } from './check-context.ts'
import { quote } from './quote.ts'

/** Settings of the workflow, and what is left over from working in the editor. */
export function checkSettings({ workflow, nodes, problems }: CheckContext): void {
  const { timezone } = workflow.settings
  if (timezone !== undefined && timezone !== 'DEFAULT' && !isTimeZone(timezone))
    problems.error({
      code: 'bad-time-zone',
      path: 'settings.timezone',
      message: `There is no time zone ${quote(timezone)}.`,
      fix: 'Write the name of a region, such as "Africa/Lagos" or "Europe/Berlin".',
    })
  if (workflow.pinData !== undefined)
    problems.warn({
      code: 'pinned-data',
      path: 'pinData',
      message: `The workflow has pinned data: in the editor it stands in for what ${Object.keys(
        workflow.pinData,
      )
        .slice(0, 5)
        .map((name) => quote(name))
        .join(', ')} would give.`,
      fix: 'Leave pinData out.',
    })
  for (const { node, place } of nodes)
    if (node.disabled)
      problems.warn({
        code: 'disabled-node',
        path: `${place}.disabled`,
        node: node.name,
        message: `${quote(node.name)} is disabled: data goes past it.`,
        fix: 'Enable it, or remove it.',
      })
}

function isTimeZone(name: unknown): boolean {
  if (typeof name !== 'string') return false
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
