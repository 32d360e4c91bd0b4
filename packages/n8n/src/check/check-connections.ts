import type { CheckContext } from './check-context.ts'
import { joinPath, quote } from './quote.ts'

/** Whether connections start at outputs and end at inputs that exist. n8n runs such a workflow, but nothing flows there. */
export function checkConnections({ workflow, byName, problems }: CheckContext): void {
  for (const [source, byType] of Object.entries(workflow.connections)) {
    const path = joinPath('connections', source)
    const from = byName.get(source)
    const hasErrorOutput = from?.node.onError === 'continueErrorOutput'
    const outputs = from?.facts?.outputs
    for (const [index, targets] of (byType['main'] ?? []).entries()) {
      if (!targets || targets.length === 0) continue
      if (outputs !== undefined && index >= outputs + (hasErrorOutput ? 1 : 0))
        problems.warn({
          code: 'no-such-output',
          path: `${path}.main[${index}]`,
          node: source,
          message: `${quote(source)} has no output ${index}, so nothing goes there.`,
          fix:
            index === outputs
              ? 'Set its onError to "continueErrorOutput" when this is meant for errors.'
              : 'Use an output that the node has; they are counted from 0.',
        })
      for (const [number, target] of targets.entries()) {
        const inputs = target.type === 'main' ? byName.get(target.node)?.facts?.inputs : undefined
        if (inputs !== undefined && target.index >= inputs)
          problems.warn({
            code: 'no-such-input',
            path: `${path}.main[${index}][${number}].index`,
            node: target.node,
            message:
              inputs === 0
                ? `${quote(target.node)} takes no data, but ${quote(source)} leads to it.`
                : `${quote(target.node)} has no input ${target.index}.`,
            fix: 'Lead the connection to an input that the node has; they are counted from 0.',
          })
      }
    }
  }
}
