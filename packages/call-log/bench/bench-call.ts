import { randomUUID } from 'node:crypto'
import type { ToolCallCompletion, ToolCallStart } from '@toolcrib/registry'

const inputText = JSON.stringify({ query: 'x'.repeat(140), limit: 10 })
const outputText = JSON.stringify({
  rows: Array.from({ length: 10 }, (_, index) => ({ index, name: 'y'.repeat(20) })),
})

/** A call as a benchmark logs it: an input of about 170 bytes, an output of about 420. */
export function makeBenchCall(): { start: ToolCallStart; end: ToolCallCompletion } {
  const startedAt = Date.now()
  const hex = startedAt.toString(16).padStart(12, '0')
  const callId = `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`
  const call = { callId, namespace: 'default', toolName: 'search_documents' }
  return {
    start: { ...call, principal: { kind: 'agent', id: 'agent-1' }, startedAt, inputText },
    end: {
      ...call,
      endedAt: startedAt + 3,
      durationMs: 3.25,
      outputText,
      outputBytes: outputText.length,
      status: 'completed',
    },
  }
}
