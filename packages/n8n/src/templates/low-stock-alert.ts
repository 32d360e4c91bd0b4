import { z } from 'zod'
import { integerArgument, optional } from './argument.ts'
import { messageField, pathField, timeOfDayField } from './customization-fields.ts'
import { fillText, shortText } from './expression.ts'
import {
  commonFields,
  crmFields,
  crmRequest,
  messagingFields,
  ownerFields,
  ownerMessage,
} from './services.ts'
import { defineTemplate, type TemplateDefinition } from './template-definition.ts'
import { given, idOf } from './tool-workflow.ts'

const threshold = { min: 0, max: 1_000_000 } as const
/** In one message; all are in the result. */
const maxLines = 30

export const lowStockAlert: TemplateDefinition = defineTemplate({
  slug: 'low-stock-alert',
  title: 'Warn of low stock',
  description:
    'Every day, looks for articles whose stock is at or below its threshold, and warns the owner over WhatsApp.',
  isScheduled: true,
  customizations: z.strictObject({
    ...crmFields,
    stockPath: pathField('Where the CRM lists stock.').default('/stock'),
    ...messagingFields,
    ...ownerFields,
    time: timeOfDayField('When it runs each day.').default('07:00'),
    threshold: z
      .int()
      .min(threshold.min)
      .max(threshold.max)
      .default(5)
      .describe('At how many an article is low that has no threshold of its own in the CRM.'),
    message: messageField('The warning.', ['count', 'list']).default(
      'Low stock ({{count}}):\n{{list}}',
    ),
    ...commonFields,
  }),
  arguments: {
    threshold: optional(
      integerArgument('Instead of the threshold that is set in the tool.', threshold),
    ),
  },
  output: z.strictObject({
    isAlerted: z.boolean().describe('Whether the owner got a message.'),
    low: z.array(
      z.strictObject({
        sku: z.string(),
        name: z.string(),
        quantity: z.number(),
        threshold: z.number(),
      }),
    ),
    checked: z.int().min(0),
    unreadable: z.int().min(0).describe('Entries without an article or a quantity.'),
    messageId: z.string().optional(),
  }),
  plan: (customizations) => {
    const readable =
      '(entry) => ["string", "number"].includes(typeof entry?.sku) && typeof entry.quantity === "number"'
    const found = '$("Find low stock").first().json'
    return {
      dailyAt: customizations.time,
      steps: [
        {
          kind: 'request',
          name: 'Get stock',
          request: crmRequest(customizations, customizations.stockPath, { method: 'GET' }),
          accepts: 'Array.isArray($json.body?.stock)',
        },
        {
          kind: 'json',
          name: 'Find low stock',
          code: `((whole, readable) => ({ low: whole.filter(readable).map((entry) => ({ sku: String(entry.sku), name: ${shortText('(entry.name ?? entry.sku)', '-')}, quantity: entry.quantity, threshold: typeof entry.threshold === "number" ? entry.threshold : (${given}.threshold ?? ${customizations.threshold}) })).filter(({ quantity, threshold }) => quantity <= threshold), checked: whole.length, unreadable: whole.length - whole.filter(readable).length }))($json.body.stock, ${readable})`,
        },
        { kind: 'when', name: 'Anything low?', condition: '$json.low.length > 0' },
        ownerMessage(
          customizations,
          fillText(customizations.message, {
            count: `${found}.low.length`,
            list: `[...${found}.low.slice(0, ${maxLines}).map(({ sku, name, quantity }) => name + (name === sku ? "" : " (" + sku + ")") + ": " + quantity), ...(${found}.low.length > ${maxLines} ? ["… +" + (${found}.low.length - ${maxLines})] : [])].join("\\n")`,
          }),
        ),
      ],
      result: `{ isAlerted: ${found}.low.length > 0, ...${found}, messageId: ${idOf('Tell owner')} }`,
    }
  },
})
