import { z } from 'zod'
import { instantArgument, integerArgument, optional } from './argument.ts'
import { messageField, pathField, timeOfDayField } from './customization-fields.ts'
import { fillText } from './expression.ts'
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
import { idOf } from './tool-workflow.ts'

export const dailySummary: TemplateDefinition = defineTemplate({
  slug: 'daily-summary',
  title: "Owner's morning briefing",
  description: "Every day, sends the owner the business's figures of the last day over WhatsApp.",
  isScheduled: true,
  customizations: z.strictObject({
    ...crmFields,
    statsPath: pathField('Where the CRM gives figures.').default('/stats'),
    ...messagingFields,
    ...ownerFields,
    time: timeOfDayField('When it runs each day.').default('08:00'),
    periodHours: periodField.default(24),
    message: messageField('The briefing.', ['date', 'stats']).default(
      'Good morning! Your business on {{date}}:\n{{stats}}',
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
    stats: z.record(z.string(), z.union([z.number(), z.string()])),
    text: z.string().describe('What the owner got.'),
    messageId: z.string().optional(),
  }),
  plan: (customizations) => ({
    dailyAt: customizations.time,
    steps: [
      period(customizations),
      {
        kind: 'request',
        name: 'Get figures',
        request: crmRequest(customizations, customizations.statsPath, {
          method: 'GET',
          query: periodQuery,
        }),
        accepts:
          '$json.body?.stats !== null && typeof $json.body?.stats === "object" && !Array.isArray($json.body.stats)',
      },
      {
        kind: 'json',
        name: 'Write briefing',
        code: `((stats) => ({ stats, text: ${fillText(customizations.message, {
          date: '$("Period").first().json.date',
          stats: `Object.keys(stats).length === 0 ? "-" : Object.entries(stats).map(([name, figure]) => name + ": " + figure).join("\\n")`,
        })} }))(Object.fromEntries(Object.entries($json.body.stats).filter(([, figure]) => typeof figure === "number" || typeof figure === "string").slice(0, 40).map(([name, figure]) => [name.slice(0, 60), typeof figure === "string" ? figure.slice(0, 200) : figure])))`,
      },
      ownerMessage(customizations, '$("Write briefing").first().json.text'),
    ],
    result: `((period, briefing) => ({ from: period.from, to: period.to, stats: briefing.stats, text: briefing.text, messageId: ${idOf('Tell owner')} }))($("Period").first().json, $("Write briefing").first().json)`,
  }),
})
