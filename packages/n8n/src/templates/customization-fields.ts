import { z } from 'zod'
import type { N8nCredentialReference } from '../n8n-workflow.ts'
import { placeholderForm } from './expression.ts'

const maxTextLength = 1_000

/** Where a service is, such as `https://crm.example.com/api`; paths are put behind it. */
export const baseUrlField = (description: string): z.ZodType<string> =>
  z
    .string()
    .max(500)
    .refine(isBaseUrl, {
      error:
        'must be an address that starts with http:// or https://, without user, password, query, fragment or "..", such as https://crm.example.com/api',
    })
    .describe(description)

/** Below a base URL, such as `/leads`. */
export const pathField = (description: string): z.ZodType<string> =>
  z
    .string()
    .max(200)
    .refine((path) => /^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/u.test(path), {
      error:
        'must be a path such as /leads, of letters, digits, ".", "_", "~" and "-" between slashes',
    })
    .describe(description)

export const timeOfDayField = (description: string): z.ZodType<string> =>
  z
    .string()
    .refine((time) => /^([01]\d|2[0-3]):[0-5]\d$/u.test(time), {
      error: 'must be a time of day from 00:00 to 23:59, such as 09:00',
    })
    .describe(description)

export const timeZoneField: z.ZodType<string> = z
  .string()
  .max(60)
  .refine(isTimeZone, {
    error: 'must be a time zone of the IANA database, such as Africa/Lagos, Europe/Berlin or UTC',
  })
  .describe('The time zone of the schedule and of dates, such as Africa/Lagos.')

export const phoneField = (description: string): z.ZodType<string> =>
  z
    .string()
    .refine((phone) => /^\+[1-9]\d{6,14}$/u.test(phone), {
      error: 'must be a phone number in E.164, such as +2348012345678',
    })
    .describe(description)

/** A credential that n8n keeps. Its value is nowhere in the workflow. */
export const credentialField = (description: string): z.ZodType<N8nCredentialReference> =>
  z
    .strictObject({
      id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/u, 'must be the id of a credential in n8n'),
      name: z.string().min(1).max(128),
    })
    .describe(`${description} A credential of type httpHeaderAuth in n8n, by its id and name.`)

/** A text in which `{{name}}` stands for something known only when it is sent. */
export const messageField = (
  description: string,
  placeholders: readonly string[],
): z.ZodType<string> =>
  z
    .string()
    .min(1)
    .max(maxTextLength)
    .superRefine((text, context) => {
      for (const [found, name = ''] of text.matchAll(placeholderForm))
        if (!placeholders.includes(name))
          context.addIssue({
            code: 'custom',
            message: `must not hold ${found}; its placeholders are ${placeholders.map((known) => `{{${known}}}`).join(', ')}`,
          })
    })
    .describe(
      `${description} Placeholders: ${placeholders.map((name) => `{{${name}}}`).join(', ')}.`,
    )

export const nameFallbackField: z.ZodType<string> = z
  .string()
  .min(1)
  .max(60)
  .describe('Stands for a name that is not known.')

export const currencyField: z.ZodType<string> = z
  .string()
  .refine((currency) => /^[A-Z]{3}$/u.test(currency), {
    error: 'must be a currency of three capitals, such as NGN',
  })
  .describe('Stands for the currency of amounts that have none.')

export const requestTimeoutField: z.ZodType<number> = z
  .int()
  .min(1)
  .max(120)
  .describe('How long a service may take for one answer, in seconds.')

function isBaseUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s{}\\?#@]+$/iu.test(text) || text.includes('..') || !URL.canParse(text))
    return false
  const url = new URL(text)
  return url.username === '' && url.password === '' && url.hostname !== ''
}

// What Node takes beyond the names of the database ("+01:00"), n8n does not.
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/u.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
