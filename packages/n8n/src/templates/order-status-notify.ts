import { z } from 'zod'
import { optional, phoneArgument, textArgument } from './argument.ts'
import { messageField, nameFallbackField } from './customization-fields.ts'
import { fillText, literal } from './expression.ts'
import { commonFields, messageRequest, messagingFields } from './services.ts'
import { defineTemplate, type TemplateDefinition } from './template-definition.ts'
import { given, idOf } from './tool-workflow.ts'

export const orderStatusNotify: TemplateDefinition = defineTemplate({
  slug: 'order-status-notify',
  title: 'Tell a customer of an order’s status',
  description: 'Sends the customer a WhatsApp message when the status of an order changes.',
  isScheduled: false,
  customizations: z.strictObject({
    ...messagingFields,
    ...commonFields,
    message: messageField('What the customer gets.', ['customerName', 'orderId', 'status']).default(
      'Hi {{customerName}}, your order {{orderId}} is now {{status}}.',
    ),
    nameFallback: nameFallbackField.default('there'),
  }),
  arguments: {
    orderId: textArgument('The order.', 64),
    status: textArgument('Its new status, as the customer should read it.', 60),
    phone: phoneArgument("The customer's phone."),
    customerName: optional(textArgument("The customer's name.", 80)),
  },
  output: z.strictObject({
    orderId: z.string(),
    messageId: z.string().optional().describe('As the messaging service named it.'),
  }),
  plan: (customizations) => ({
    steps: [
      {
        kind: 'request',
        name: 'Send message',
        request: messageRequest(customizations, {
          to: `${given}.phone`,
          text: fillText(customizations.message, {
            customerName: `${given}.customerName ?? ${literal(customizations.nameFallback)}`,
            orderId: `${given}.orderId`,
            status: `${given}.status`,
          }),
        }),
      },
    ],
    result: `{ orderId: ${given}.orderId, messageId: ${idOf('Send message')} }`,
  }),
})
