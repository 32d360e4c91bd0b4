import type { ToolCallCompletion, ToolCallFailure, ToolCallStart } from '@toolcrib/registry'

let counter = 0

/** A UUIDv7 of a moment; two of one moment differ and keep their order. */
export function makeCallId(milliseconds: number): string {
  counter += 1
  const hex = milliseconds.toString(16).padStart(12, '0')
  const tail = counter.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${tail}`
}

/** A start row with everything that a call needs, changed as told. */
export function makeStart(changes: Partial<ToolCallStart> = {}): ToolCallStart {
  const startedAt = changes.startedAt ?? Date.now()
  return {
    callId: makeCallId(startedAt),
    namespace: 'default',
    toolName: 'shipping_cost',
    principal: { kind: 'agent', id: 'agent-1' },
    startedAt,
    inputText: '{"weight_kg":12}',
    ...changes,
  }
}

/** The completion of a call. */
export function makeCompletion(
  { callId, namespace, toolName, startedAt }: ToolCallStart,
  changes: Partial<ToolCallCompletion> = {},
): ToolCallCompletion {
  return {
    callId,
    namespace,
    toolName,
    endedAt: startedAt + 5,
    durationMs: 5,
    outputText: '31.5',
    outputBytes: 4,
    status: 'completed',
    ...changes,
  }
}

/** The failure of a call. */
export function makeFailure(
  { callId, namespace, toolName, startedAt }: ToolCallStart,
  changes: Partial<ToolCallFailure> = {},
): ToolCallFailure {
  return {
    callId,
    namespace,
    toolName,
    endedAt: startedAt + 7,
    durationMs: 7,
    status: 'failed',
    error: { code: 'TOOL_FAILED', message: 'It broke.', data: { reason: 'glass' } },
    ...changes,
  }
}
