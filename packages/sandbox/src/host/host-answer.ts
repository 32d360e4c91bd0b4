import type { HostAnswer } from '../lanes/protocol.ts'

const maxMessageLength = 4096
const maxNameLength = 100

/** What an operation gave, as text; refused when it has more than a number of bytes. */
export function describeResult(
  value: unknown,
  asked: { readonly id: number; readonly operation: string; readonly maxBytes: number },
): HostAnswer {
  const { id, operation, maxBytes } = asked
  const text = isSurelyLarger(value, maxBytes) ? undefined : (JSON.stringify(value) ?? '')
  // A character takes three bytes at most.
  if (text !== undefined && (text.length <= maxBytes / 3 || Buffer.byteLength(text) <= maxBytes))
    return { id, isDone: true, text, name: '', code: '' }
  return {
    id,
    isDone: false,
    text: `The result of ${operation} is larger than ${maxBytes} bytes, a third of the memory of the tool`,
    name: 'RangeError',
    code: 'RESULT_TOO_LARGE',
  }
}

/** Writing a text of 100 MB as JSON takes long, only to learn that it is too large. */
function isSurelyLarger(value: unknown, maxBytes: number): boolean {
  if (typeof value === 'string') return value.length > maxBytes
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if ('toJSON' in value) return false
  let length = 0
  for (const { value: field } of Object.values(Object.getOwnPropertyDescriptors(value)))
    if (typeof field === 'string') length += field.length
  return length > maxBytes
}

/** What an operation threw. It may be anything, so nothing of it is taken for granted. */
export function describeError(id: number, error: unknown): HostAnswer {
  const answer = { id, isDone: false, text: 'The operation failed', name: '', code: '' }
  try {
    if (!(error instanceof Error)) return answer
    const { message, name, code } = error as Partial<Record<keyof Error | 'code', unknown>>
    return {
      ...answer,
      text: typeof message === 'string' ? message.slice(0, maxMessageLength) : answer.text,
      name: shorten(name),
      code: shorten(code),
    }
  } catch {
    // A proxy or a getter threw.
    return answer
  }
}

function shorten(text: unknown): string {
  return typeof text === 'string' ? text.slice(0, maxNameLength) : ''
}
