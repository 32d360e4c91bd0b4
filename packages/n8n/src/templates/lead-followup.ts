import { z } from 'zod'
import { instantArgument, integerArgument, optional } from './argument.ts'
import {
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

const inactiveDays = { min: 1, max: 365 } as const

export const leadFollowup: TemplateDefinition = defineTemplate({
  slug: 'lead-followup',
  title: 'Follow up on inactive leads',
  description:
    'Every day, drafts a WhatsApp message in the CRM for each open lead that nobody has been in touch with for some days.',
  isScheduled: true,
  customizations: z.strictObject({
    ...crmFields,
    leadsPath: pathField('Where the CRM lists leads.').default('/leads'),
    draftsPath: pathField('Where the CRM takes drafts.').default('/drafts'),
    time: timeOfDayField('When it runs each day.').default('09:00'),
    inactiveDays: z
      .int()
      .min(inactiveDays.min)
      .max(inactiveDays.max)
      .default(3)
      .describe('After how many days without contact a lead is followed up.'),
    maxDrafts: maxDraftsField.default(200),
    message: messageField('The draft.', ['name', 'days']).default(
      'Hi {{name}}, just checking in: is there anything I can help you with?',
    ),
    nameFallback: nameFallbackField.default('there'),
    ...commonFields,
  }),
  arguments: {
    inactiveDays: optional(
      integerArgument('Instead of the days that are set in the tool.', inactiveDays),
    ),
    now: optional(instantArgument('Runs as if it were that moment.')),
  },
  output: draftsOutput('leadId'),
  plan: (customizations) => ({
    dailyAt: customizations.time,
    ...draftsSteps(customizations, {
      list: 'leads',
      listPath: customizations.leadsPath,
      status: 'open',
      idName: 'leadId',
      isDue: `!(Date.parse(entry.lastContactAt) > now - (${given}.inactiveDays ?? ${customizations.inactiveDays}) * 86400000)`,
      lacks:
        '(Number.isNaN(Date.parse(entry.lastContactAt)) ? "no moment of the last contact" : "")',
      text: fillText(customizations.message, {
        name: shortText('entry.name', customizations.nameFallback),
        days: `${given}.inactiveDays ?? ${customizations.inactiveDays}`,
      }),
      draftsPath: customizations.draftsPath,
      maxDrafts: customizations.maxDrafts,
    }),
  }),
})
