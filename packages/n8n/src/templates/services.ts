import type { z } from 'zod'
import {
  baseUrlField,
  credentialField,
  pathField,
  phoneField,
  requestTimeoutField,
  timeZoneField,
} from './customization-fields.ts'
import type { N8nCredentialReference } from '../n8n-workflow.ts'
import { literal } from './expression.ts'
import type { Step } from './tool-workflow.ts'
import type { UpstreamRequest } from './upstream.ts'

/** What every template takes. */
export const commonFields: {
  timeZone: z.ZodDefault<typeof timeZoneField>
  requestTimeoutSeconds: z.ZodDefault<typeof requestTimeoutField>
} = {
  timeZone: timeZoneField.default('UTC'),
  requestTimeoutSeconds: requestTimeoutField.default(10),
}

/** Of templates that reach the system of the business: its leads, orders, invoices and stock. */
export const crmFields: {
  crmBaseUrl: z.ZodDefault<z.ZodType<string>>
  crmCredential: z.ZodOptional<z.ZodType<N8nCredentialReference>>
} = {
  crmBaseUrl: baseUrlField('Where the CRM is.').default('https://crm.example/api'),
  crmCredential: credentialField('Sent to the CRM.').optional(),
}

/** Of templates that send messages. The body is that of WhatsApp's Cloud API. */
export const messagingFields: {
  messagingBaseUrl: z.ZodDefault<z.ZodType<string>>
  messagesPath: z.ZodDefault<z.ZodType<string>>
  messagingCredential: z.ZodOptional<z.ZodType<N8nCredentialReference>>
} = {
  messagingBaseUrl: baseUrlField(
    "Where messages are sent; for WhatsApp's Cloud API, the address with its version and phone number id.",
  ).default('https://messaging.example'),
  messagesPath: pathField('Where a message is posted.').default('/messages'),
  messagingCredential: credentialField('Sent with messages.').optional(),
}

/** Of templates that write to the owner of the business. */
export const ownerFields: { ownerPhone: z.ZodType<string> } = {
  ownerPhone: phoneField("The owner's phone, in E.164. Required."),
}

interface Timing {
  readonly requestTimeoutSeconds: number
}

interface CrmCustomizations extends Timing {
  readonly crmBaseUrl: string
  readonly crmCredential?: N8nCredentialReference | undefined
}

interface MessagingCustomizations extends Timing {
  readonly messagingBaseUrl: string
  readonly messagesPath: string
  readonly messagingCredential?: N8nCredentialReference | undefined
}

/** A request to the CRM. @param path below its base URL */
export function crmRequest(
  given: CrmCustomizations,
  path: string,
  request: Pick<UpstreamRequest, 'method' | 'query' | 'body' | 'itemKey'>,
): UpstreamRequest {
  return {
    ...request,
    url: join(given.crmBaseUrl, path),
    credential: given.crmCredential,
    timeoutSeconds: given.requestTimeoutSeconds,
  }
}

/** Sends one message. @param message code that gives the number, and code that gives the text */
export function messageRequest(
  given: MessagingCustomizations,
  message: { readonly to: string; readonly text: string },
): UpstreamRequest {
  return {
    method: 'POST',
    url: join(given.messagingBaseUrl, given.messagesPath),
    body: `{ messaging_product: "whatsapp", to: ${message.to}, type: "text", text: { body: ${message.text} } }`,
    credential: given.messagingCredential,
    timeoutSeconds: given.requestTimeoutSeconds,
  }
}

/** The step that sends the owner a text. @param text code */
export function ownerMessage(
  given: MessagingCustomizations & { readonly ownerPhone: string },
  text: string,
): Step {
  return {
    kind: 'request',
    name: 'Tell owner',
    request: messageRequest(given, { to: literal(given.ownerPhone), text }),
  }
}

function join(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/\/+$/u, '')}${path}`
}
