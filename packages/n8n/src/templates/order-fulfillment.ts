import { z } from 'zod'
import { integerArgument, listArgument, optional, phoneArgument, textArgument } from './argument.ts'
import { messageField, nameFallbackField, pathField } from './customization-fields.ts'
import { fillText, literal } from './expression.ts'
import { commonFields, crmFields, crmRequest, messageRequest, messagingFields } from './services.ts'
import { defineTemplate, type TemplateDefinition } from './template-definition.ts'
import { given, idOf } from './tool-workflow.ts'

export const orderFulfillment: TemplateDefinition = defineTemplate({
  slug: 'order-fulfillment',
  title: 'Fulfil a new order',
  description:
    'Reserves the stock of a new order, creates the task to fulfil it, and confirms it to the customer over WhatsApp.',
  isScheduled: false,
  customizations: z.strictObject({
    ...crmFields,
    reservationsPath: pathField('Where stock is reserved.').default('/stock/reservations'),
    tasksPath: pathField('Where tasks are created.').default('/fulfillment-tasks'),
    ...messagingFields,
    message: messageField('The confirmation.', ['customerName', 'orderId', 'itemCount']).default(
      'Hi {{customerName}}, we have got your order {{orderId}} and are preparing it now.',
    ),
    nameFallback: nameFallbackField.default('there'),
    ...commonFields,
  }),
  arguments: {
    orderId: textArgument('The order.', 64),
    items: listArgument(
      'What was ordered.',
      {
        sku: textArgument('Which article.', 64),
        quantity: integerArgument('How many of it.', { min: 1, max: 100_000 }),
      },
      100,
    ),
    phone: phoneArgument("The customer's phone."),
    customerName: optional(textArgument("The customer's name.", 80)),
  },
  output: z.strictObject({
    orderId: z.string(),
    reservationId: z.string().optional(),
    taskId: z.string().optional(),
    messageId: z.string().optional(),
  }),
  plan: (customizations) => ({
    steps: [
      {
        kind: 'request',
        name: 'Reserve stock',
        request: crmRequest(customizations, customizations.reservationsPath, {
          method: 'POST',
          body: `{ orderId: ${given}.orderId, items: ${given}.items }`,
        }),
      },
      {
        kind: 'request',
        name: 'Create task',
        request: crmRequest(customizations, customizations.tasksPath, {
          method: 'POST',
          body: `{ orderId: ${given}.orderId, items: ${given}.items, reservationId: ${idOf('Reserve stock')} }`,
        }),
      },
      {
        kind: 'request',
        name: 'Confirm to customer',
        request: messageRequest(customizations, {
          to: `${given}.phone`,
          text: fillText(customizations.message, {
            customerName: `${given}.customerName ?? ${literal(customizations.nameFallback)}`,
            orderId: `${given}.orderId`,
            itemCount: `${given}.items.reduce((sum, item) => sum + item.quantity, 0)`,
          }),
        }),
      },
    ],
    result: `{ orderId: ${given}.orderId, reservationId: ${idOf('Reserve stock')}, taskId: ${idOf('Create task')}, messageId: ${idOf('Confirm to customer')} }`,
  }),
})
