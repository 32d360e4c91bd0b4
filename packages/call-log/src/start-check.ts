import type { ToolCallStart } from '@toolcrib/registry'
import { type CallLogError, logError } from './log-error.ts'

/** The last millisecond of the year 9999, the latest time that a row can carry. */
export const latestTime = 253_402_300_799_999

const hyphen = 0x2d

/** Tells whether a text is a UUID in lower case, as call ids are. */
export function isCallId(value: unknown): value is string {
  if (typeof value !== 'string' || value.length !== 36) return false
  for (let index = 0; index < 36; index += 1) {
    const unit = value.charCodeAt(index)
    const isHex = (unit >= 0x30 && unit <= 0x39) || (unit >= 0x61 && unit <= 0x66)
    if (!isHex && !(unit === hyphen && isHyphenPlace(index))) return false
    if (isHex && isHyphenPlace(index)) return false
  }
  return true
}

function isHyphenPlace(index: number): boolean {
  return index === 8 || index === 13 || index === 18 || index === 23
}

/** Tells whether a number is a time that a row can carry. */
export function isLogTime(value: number): boolean {
  return value >= 0 && value <= latestTime
}

/** What is wrong with a start row; undefined when it can be written. */
export function checkStart(call: ToolCallStart, namespace?: string): CallLogError | undefined {
  if (!isCallId(call.callId)) return refuse('callId', 'must be a UUID in lower case', call.callId)
  if (typeof call.toolName !== 'string') return refuse('toolName', 'must be a text', call.toolName)
  if (typeof call.inputText !== 'string') return refuse('inputText', 'must be a text', '')
  if (!isLogTime(call.startedAt))
    return refuse('startedAt', 'must be milliseconds from 1970 to 9999', call.startedAt)
  if (call.toolVersion !== undefined && !Number.isSafeInteger(call.toolVersion))
    return refuse('toolVersion', 'must be a whole number', call.toolVersion)
  return checkNamespace(call, namespace)
}

/** What is wrong with a row's call id or namespace. */
export function checkNamespace(
  row: { readonly callId: string; readonly namespace: string },
  namespace?: string,
): CallLogError | undefined {
  if (!isCallId(row.callId)) return refuse('callId', 'must be a UUID in lower case', row.callId)
  if (namespace !== undefined && row.namespace !== namespace)
    return refuse(
      'namespace',
      `must be "${namespace}", to which this log is confined`,
      row.namespace,
    )
  return undefined
}

function refuse(field: string, rule: string, value: unknown): CallLogError {
  const shown = String(value).slice(0, 100)
  return logError('LOG_ROW_INVALID', `Field ${field} ${rule}, and is "${shown}".`, {
    data: { field, value: shown },
  })
}
