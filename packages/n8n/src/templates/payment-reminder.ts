import { z } from 'zod'
import { instantArgument, integerArgument, optional } from './argument.ts'
import {
  currencyField,
  messageField,
  nameFallbackField,
  pathField,
  timeOfDayField,
} from './customization-fields.ts'
import { draftsOutput, draftsSteps, maxDraftsField } from './drafts.ts'
import { fillText, shortText } from './expression.ts'
import { commonFields, crmFields } from './services.ts'
import { defineTemplate, type TemplateDefinition } from './template-definition.ts'
import { given } from './tool-workflow.ts'

const overdueDays = { min: 0, max: 365 } as const

export const paymentReminder: TemplateDefinition = defineTemplate({
  slug: 'payment-reminder',
  title: 'Remind of overdue invoices',
  description: 'Every day, drafts a WhatsApp reminder in the CRM for each overdue invoice.',
  isScheduled: true,
  customizations: z.strictObject({
    ...crmFields,
    invoicesPath: pathField('Where the CRM lists invoices.').default('/invoices'),
    draftsPath: pathField('Where the CRM takes drafts.').default('/drafts'),
    time: timeOfDayField('When it runs each day.').default('10:00'),
    overdueDays: z
      .int()
      .min(overdueDays.min)
      .max(overdueDays.max)
      .default(1)
      .describe('How many days after its due date an invoice is reminded of.'),
    maxDrafts: maxDraftsField.default(200),
    message: messageField('The draft.', [
      'name',
      'invoice',
      'amount',
      'currency',
      'dueDate',
      'daysOverdue',
    ]).default(
      'Hi {{name}}, a reminder: invoice {{invoice}} over {{currency}} {{amount}} was due on {{dueDate}}.',
    ),
    nameFallback: nameFallbackField.default('there'),
    currency: currencyField.default('USD'),
    ...commonFields,
  }),
  arguments: {
    overdueDays: optional(
      integerArgument('Instead of the days that are set in the tool.', overdueDays),
    ),
    now: optional(instantArgument('Runs as if it were that moment.')),
  },
  output: draftsOutput('invoiceId'),
  plan: (customizations) => ({
    dailyAt: customizations.time,
    ...draftsSteps(customizations, {
      list: 'invoices',
      listPath: customizations.invoicesPath,
      status: 'overdue',
      idName: 'invoiceId',
      isDue: `!(Date.parse(entry.dueAt) > now - (${given}.overdueDays ?? ${customizations.overdueDays}) * 86400000)`,
      lacks:
        '(Number.isNaN(Date.parse(entry.dueAt)) ? "no due date" : typeof entry.amount !== "number" ? "no amount" : "")',
      text: fillText(customizations.message, {
        name: shortText('entry.customerName', customizations.nameFallback),
        invoice: shortText('(entry.number ?? entry.id)', ''),
        amount: 'String(entry.amount)',
        currency: shortText('entry.currency', customizations.currency),
        dueDate: 'String(entry.dueAt).slice(0, 10)',
        daysOverdue: 'Math.max(0, Math.floor((now - Date.parse(entry.dueAt)) / 86400000))',
      }),
      draftsPath: customizations.draftsPath,
      maxDrafts: customizations.maxDrafts,
    }),
  }),
})
