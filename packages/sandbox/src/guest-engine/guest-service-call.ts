import { guestServices } from './guest-services.ts'
import type { Address } from './quickjs-exports.ts'
import type { QuickJsInstance } from './quickjs-instance.ts'

const maxMessageLength = 4096

/** Answers what the guest's shims ask, in this thread and at once. */
export function callGuestService(
  instance: QuickJsInstance,
  nameValue: Address,
  textValue: Address,
): Address {
  const name = instance.readString(nameValue, 100)
  const text = instance.readString(textValue)
  const service =
    name !== undefined && Object.hasOwn(guestServices, name) ? guestServices[name] : undefined
  if (service === undefined || text === undefined)
    return instance.throwError(`There is no service ${name ?? ''} for this text`)
  let answer: string
  try {
    answer = service(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    return instance.throwError(message.slice(0, maxMessageLength))
  }
  return instance.newString(answer)
}
