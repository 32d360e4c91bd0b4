import { z } from 'zod'
import { optional, phoneArgument, textArgument } from './argument.ts'
import { messageField, pathField } from './customization-fields.ts'
import { fillText, literal } from './expression.ts'
import { commonFields, crmFields, crmRequest, messageRequest, messagingFields } from './services.ts'
import { defineTemplate, type TemplateDefinition } from './template-definition.ts'
import { given, idOf } from './tool-workflow.ts'

export const newLeadWelcome: TemplateDefinition = defineTemplate({
  slug: 'new-lead-welcome',
  title: 'Welcome a new lead',
  description: "Adds a new contact to the CRM's pipeline and sends a WhatsApp welcome.",
  isScheduled: false,
  customizations: z.strictObject({
    ...crmFields,
    pipelinePath: pathField('Where the CRM takes new contacts.').default('/pipeline'),
    stage: z.string().min(1).max(60).default('new').describe('Where in the pipeline they start.'),
    ...messagingFields,
    message: messageField('The welcome.', ['name']).default(
      'Hi {{name}}, thank you for your interest! How can we help you?',
    ),
    ...commonFields,
  }),
  arguments: {
    name: textArgument("The contact's name.", 80),
    phone: phoneArgument("The contact's phone."),
    email: optional(textArgument("The contact's e-mail address.", 254)),
    source: optional(textArgument('Where the contact came from.', 80)),
  },
  output: z.strictObject({ contactId: z.string().optional(), messageId: z.string().optional() }),
  plan: (customizations) => ({
    steps: [
      {
        kind: 'request',
        name: 'Add to pipeline',
        request: crmRequest(customizations, customizations.pipelinePath, {
          method: 'POST',
          body: `{ name: ${given}.name, phone: ${given}.phone, email: ${given}.email, source: ${given}.source, stage: ${literal(customizations.stage)} }`,
        }),
      },
      {
        kind: 'request',
        name: 'Send welcome',
        request: messageRequest(customizations, {
          to: `${given}.phone`,
          text: fillText(customizations.message, { name: `${given}.name` }),
        }),
      },
    ],
    result: `{ contactId: ${idOf('Add to pipeline')}, messageId: ${idOf('Send welcome')} }`,
  }),
})
