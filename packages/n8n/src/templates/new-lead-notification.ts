import { z } from 'zod'
import { optional, phoneArgument, textArgument } from './argument.ts'
import { messageField } from './customization-fields.ts'
import { fillText, literal } from './expression.ts'
import { commonFields, messagingFields, ownerFields, ownerMessage } from './services.ts'
import { defineTemplate, type TemplateDefinition } from './template-definition.ts'
import { given, idOf } from './tool-workflow.ts'

export const newLeadNotification: TemplateDefinition = defineTemplate({
  slug: 'new-lead-notification',
  title: 'Tell the owner of a new lead',
  description: 'Sends the owner a WhatsApp message when a new lead comes in.',
  isScheduled: false,
  customizations: z.strictObject({
    ...messagingFields,
    ...ownerFields,
    message: messageField('What the owner gets.', [
      'name',
      'phone',
      'email',
      'source',
      'note',
    ]).default(
      'New lead: {{name}}\nPhone: {{phone}}\nE-mail: {{email}}\nSource: {{source}}\n{{note}}',
    ),
    unknown: z
      .string()
      .min(1)
      .max(60)
      .default('-')
      .describe('Stands for what a call does not give.'),
    ...commonFields,
  }),
  arguments: {
    name: textArgument("The lead's name.", 80),
    phone: optional(phoneArgument("The lead's phone.")),
    email: optional(textArgument("The lead's e-mail address.", 254)),
    source: optional(textArgument('Where the lead came from.', 80)),
    note: optional(textArgument('What the lead wants.', 1_000)),
  },
  output: z.strictObject({ messageId: z.string().optional() }),
  plan: (customizations) => {
    const orUnknown = (name: string): string =>
      `${given}.${name} ?? ${literal(customizations.unknown)}`
    const names = ['name', 'phone', 'email', 'source', 'note']
    return {
      steps: [
        ownerMessage(
          customizations,
          fillText(
            customizations.message,
            Object.fromEntries(names.map((name) => [name, orUnknown(name)])),
          ),
        ),
      ],
      result: `{ messageId: ${idOf('Tell owner')} }`,
    }
  },
})
