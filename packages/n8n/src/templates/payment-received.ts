import { z } from 'zod'
import {
  amountArgument,
  currencyArgument,
  optional,
  phoneArgument,
  textArgument,
} from './argument.ts'
import { messageField, nameFallbackField, pathField } from './customization-fields.ts'
import { fillText, literal } from './expression.ts'
import { commonFields, crmFields, crmRequest, messageRequest, messagingFields } from './services.ts'
import { defineTemplate, type TemplateDefinition } from './template-definition.ts'
import { given, idOf } from './tool-workflow.ts'

export const paymentReceived: TemplateDefinition = defineTemplate({
  slug: 'payment-received',
  title: 'Book a payment',
  description:
    'Marks the invoice of a payment as paid in the CRM, and sends the customer a receipt over WhatsApp.',
  isScheduled: false,
  customizations: z.strictObject({
    ...crmFields,
    paymentsPath: pathField('Where the CRM takes payments of invoices.').default(
      '/invoices/payments',
    ),
    ...messagingFields,
    message: messageField('The receipt.', [
      'customerName',
      'invoiceId',
      'paymentId',
      'amount',
      'currency',
    ]).default(
      'Hi {{customerName}}, we have received {{currency}} {{amount}} for invoice {{invoiceId}}. Thank you!',
    ),
    nameFallback: nameFallbackField.default('there'),
    ...commonFields,
  }),
  arguments: {
    paymentId: textArgument('The payment, as the payment service names it.', 64),
    invoiceId: textArgument('The invoice that was paid.', 64),
    amount: amountArgument('How much was paid.'),
    currency: currencyArgument('In which currency.'),
    phone: phoneArgument("The customer's phone."),
    customerName: optional(textArgument("The customer's name.", 80)),
  },
  output: z.strictObject({
    invoiceId: z.string(),
    bookingId: z.string().optional().describe('As the CRM named it.'),
    messageId: z.string().optional(),
  }),
  plan: (customizations) => ({
    steps: [
      {
        kind: 'request',
        name: 'Mark invoice paid',
        request: crmRequest(customizations, customizations.paymentsPath, {
          method: 'POST',
          body: `{ invoiceId: ${given}.invoiceId, paymentId: ${given}.paymentId, amount: ${given}.amount, currency: ${given}.currency, status: "paid" }`,
        }),
      },
      {
        kind: 'request',
        name: 'Send receipt',
        request: messageRequest(customizations, {
          to: `${given}.phone`,
          text: fillText(customizations.message, {
            customerName: `${given}.customerName ?? ${literal(customizations.nameFallback)}`,
            invoiceId: `${given}.invoiceId`,
            paymentId: `${given}.paymentId`,
            amount: `${given}.amount`,
            currency: `${given}.currency`,
          }),
        }),
      },
    ],
    result: `{ invoiceId: ${given}.invoiceId, bookingId: ${idOf('Mark invoice paid')}, messageId: ${idOf('Send receipt')} }`,
  }),
})
