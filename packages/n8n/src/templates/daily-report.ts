import { z } from 'zod'
import { instantArgument, integerArgument, optional } from './argument.ts'
import { currencyField, messageField, pathField, timeOfDayField } from './customization-fields.ts'
import { fillText, literal } from './expression.ts'
import { period, periodField, periodHours, periodQuery } from './period.ts'
import {
  commonFields,
  crmFields,
  crmRequest,
  messagingFields,
  ownerFields,
  ownerMessage,
} from './services.ts'
import { defineTemplate, type TemplateDefinition } from './template-definition.ts'
import { idOf, type Step } from './tool-workflow.ts'

const totals = z.record(z.string(), z.number()).describe('By currency.')

export const dailyReport: TemplateDefinition = defineTemplate({
  slug: 'daily-report',
  title: 'Daily report of orders, payments and leads',
  description:
    'Every day, counts the orders, payments and leads of the last day and sends the owner a report over WhatsApp.',
  isScheduled: true,
  customizations: z.strictObject({
    ...crmFields,
    ordersPath: pathField('Where the CRM lists orders.').default('/orders'),
    paymentsPath: pathField('Where the CRM lists payments.').default('/payments'),
    leadsPath: pathField('Where the CRM lists leads.').default('/leads'),
    ...messagingFields,
    ...ownerFields,
    time: timeOfDayField('When it runs each day.').default('18:00'),
    periodHours: periodField.default(24),
    currency: currencyField.default('USD'),
    message: messageField('The report.', [
      'date',
      'orders',
      'orderTotals',
      'payments',
      'paymentTotals',
      'leads',
    ]).default(
      'Report for {{date}}\nOrders: {{orders}} ({{orderTotals}})\nPayments: {{payments}} ({{paymentTotals}})\nNew leads: {{leads}}',
    ),
    ...commonFields,
  }),
  arguments: {
    periodHours: optional(
      integerArgument('Instead of the hours that are set in the tool.', periodHours),
    ),
    now: optional(instantArgument('Runs as if it were that moment.')),
  },
  output: z.strictObject({
    from: z.string(),
    to: z.string(),
    orders: z.int().min(0),
    orderTotals: totals,
    payments: z.int().min(0),
    paymentTotals: totals,
    leads: z.int().min(0),
    withoutAmount: z.int().min(0).describe('Orders and payments that are in no total.'),
    text: z.string().describe('What the owner got.'),
    messageId: z.string().optional(),
  }),
  plan: (customizations) => {
    const read = (list: string, path: string): Step => ({
      kind: 'request',
      name: `Get ${list}`,
      request: crmRequest(customizations, path, { method: 'GET', query: periodQuery }),
      accepts: `Array.isArray($json.body?.${list})`,
    })
    const currency = `(/^[A-Z]{3}$/.test(entry?.currency) ? entry.currency : ${literal(customizations.currency)})`
    const sums = (list: string, amount: string): string =>
      `${entries(list)}.filter((entry) => typeof entry?.${amount} === "number").reduce((sums, entry) => ({ ...sums, [${currency}]: Math.round(((sums[${currency}] ?? 0) + entry.${amount}) * 1000) / 1000 }), {})`
    const without = (list: string, amount: string): string =>
      `${entries(list)}.filter((entry) => typeof entry?.${amount} !== "number").length`
    return {
      dailyAt: customizations.time,
      steps: [
        period(customizations),
        read('orders', customizations.ordersPath),
        read('payments', customizations.paymentsPath),
        read('leads', customizations.leadsPath),
        {
          kind: 'json',
          name: 'Count',
          code: `{ orders: ${entries('orders')}.length, orderTotals: ${sums('orders', 'total')}, payments: ${entries('payments')}.length, paymentTotals: ${sums('payments', 'amount')}, leads: ${entries('leads')}.length, withoutAmount: ${without('orders', 'total')} + ${without('payments', 'amount')} }`,
        },
        {
          kind: 'json',
          name: 'Write report',
          code: `((counted) => ({ ...counted, text: ${fillText(customizations.message, {
            date: '$("Period").first().json.date',
            orders: 'counted.orders',
            orderTotals: written('orderTotals'),
            payments: 'counted.payments',
            paymentTotals: written('paymentTotals'),
            leads: 'counted.leads',
          })} }))($json)`,
        },
        ownerMessage(customizations, '$("Write report").first().json.text'),
      ],
      result: `((period) => ({ from: period.from, to: period.to, ...$("Write report").first().json, messageId: ${idOf('Tell owner')} }))($("Period").first().json)`,
    }
  },
})

/** Code for a list that was read. */
function entries(list: string): string {
  return `$("Get ${list}").first().json.body.${list}`
}

/** Code for totals, written for people. */
function written(field: string): string {
  return `(Object.entries(counted.${field}).map(([currency, sum]) => currency + " " + sum).join(", ") || "-")`
}
