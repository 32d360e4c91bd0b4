import type { JsonObject } from '@toolcrib/registry'
import { z } from 'zod'
import { n8nError } from '../error-catalogue.ts'
import { closest } from './closest-name.ts'
import type { TemplateDefinition } from './template-definition.ts'

/** Checks customizations and fills in defaults. @throws {ToolError} N8N_CUSTOMIZATION_INVALID */
export function checkCustomizations(definition: TemplateDefinition, given: unknown): JsonObject {
  const parsed = definition.customizations.safeParse(given)
  if (parsed.success) return parsed.data as JsonObject
  const known = Object.keys(definition.customizations.shape)
  const problems = parsed.error.issues.flatMap((issue) => describeIssue(issue, given, definition))
  throw n8nError(
    'N8N_CUSTOMIZATION_INVALID',
    `The customizations of the template "${definition.slug}" are wrong. ${problems.join(' ')}`,
    { data: { template: definition.slug, problems, customizations: known } },
  )
}

function describeIssue(
  issue: z.core.$ZodIssue,
  given: unknown,
  definition: TemplateDefinition,
): readonly string[] {
  const known = Object.keys(definition.customizations.shape)
  const field = issue.path.join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) =>
      describeUnknown(key, field, field === '' ? known : ['id', 'name']),
    )
  if (field === '') return [`They must be a JSON object, got ${show(given)}.`]
  const value = issue.path.reduce<unknown>(
    (part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key],
    given,
  )
  const rule = issue.message.startsWith('must ') ? issue.message : `is wrong: ${issue.message}`
  const about = describeField(definition, issue.path[0])
  return [`"${field}" ${rule}; got ${show(value)}.${about}`]
}

/** What a field is for, so that who got it wrong knows what to give. */
function describeField(definition: TemplateDefinition, field: PropertyKey | undefined): string {
  const schema = Object.entries(definition.customizations.shape).find(
    ([name]) => name === field,
  )?.[1]
  const description = schema instanceof z.ZodType ? schema.description : undefined
  return description === undefined ? '' : ` (${description})`
}

function describeUnknown(key: string, parent: string, known: readonly string[]): string {
  const near = closest(key, known)
  const where = parent === '' ? '' : ` in "${parent}"`
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`
  return `There is no customization "${key.slice(0, 80)}"${where}.${hint} There are: ${known.join(', ')}.`
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
