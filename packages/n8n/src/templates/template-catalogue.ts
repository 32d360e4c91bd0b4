import type { JsonObject } from '@toolcrib/registry'
import { z } from 'zod'
import { n8nError } from '../error-catalogue.ts'
import type { RenderedTemplate, TemplateSummary } from '../workflow-template.ts'
import { argumentsSchema } from './argument.ts'
import { checkCustomizations } from './check-customizations.ts'
import { closest } from './closest-name.ts'
import { dailyReport } from './daily-report.ts'
import { dailySummary } from './daily-summary.ts'
import { leadFollowup } from './lead-followup.ts'
import { lowStockAlert } from './low-stock-alert.ts'
import { newLeadNotification } from './new-lead-notification.ts'
import { newLeadWelcome } from './new-lead-welcome.ts'
import { orderFulfillment } from './order-fulfillment.ts'
import { orderStatusNotify } from './order-status-notify.ts'
import { paymentReceived } from './payment-received.ts'
import { paymentReminder } from './payment-reminder.ts'
import type { TemplateDefinition } from './template-definition.ts'
import { longestRunSeconds, toolWorkflow } from './tool-workflow.ts'
import { hostsOf } from './workflow-hosts.ts'

const definitions: ReadonlyMap<string, TemplateDefinition> = new Map(
  [
    leadFollowup,
    orderStatusNotify,
    paymentReminder,
    newLeadWelcome,
    dailySummary,
    newLeadNotification,
    orderFulfillment,
    paymentReceived,
    dailyReport,
    lowStockAlert,
  ].map((definition) => [definition.slug, definition]),
)

/** All templates, in the order of the README. */
export function listTemplates(): readonly TemplateSummary[] {
  return Array.from(definitions.values(), summarize)
}

/**
 * What a template takes.
 *
 * @throws {ToolError} N8N_TEMPLATE_UNKNOWN
 */
export function getTemplate(slug: string): TemplateSummary {
  return summarize(find(slug))
}

/**
 * Fills in a template. The same customizations always give the same bytes.
 *
 * @param customizations what differs from the defaults
 * @throws {ToolError} N8N_TEMPLATE_UNKNOWN
 * @throws {ToolError} N8N_CUSTOMIZATION_INVALID `data.problems` names each field, what is wrong and what to do
 */
export function renderTemplate(slug: string, customizations: unknown = {}): RenderedTemplate {
  const definition = find(slug)
  const checked = checkCustomizations(definition, customizations)
  const plan = definition.plan(checked)
  const workflow = toolWorkflow({
    slug,
    title: definition.title,
    timeZone: checked['timeZone'] as string,
    arguments: definition.arguments,
    ...plan,
  })
  return {
    slug,
    workflow,
    inputSchema: jsonSchema(argumentsSchema(definition.arguments)),
    outputSchema: jsonSchema(definition.output),
    customizations: checked,
    hosts: hostsOf(workflow),
    longestRunMs: longestRunSeconds(plan.steps) * 1000,
  }
}

function find(slug: string): TemplateDefinition {
  const definition = definitions.get(slug)
  if (definition !== undefined) return definition
  const slugs = [...definitions.keys()]
  const near = closest(slug, slugs)
  throw n8nError(
    'N8N_TEMPLATE_UNKNOWN',
    `There is no template "${slug.slice(0, 80)}".${near === undefined ? '' : ` Did you mean "${near}"?`} Templates: ${slugs.join(', ')}.`,
    { data: { templates: slugs } },
  )
}

function summarize(definition: TemplateDefinition): TemplateSummary {
  const { slug, title, description, isScheduled } = definition
  return {
    slug,
    title,
    description,
    trigger: isScheduled ? 'schedule' : 'call',
    customizationSchema: jsonSchema(definition.customizations, 'input'),
  }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output' = 'output'): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io })
  return rest as JsonObject
}
