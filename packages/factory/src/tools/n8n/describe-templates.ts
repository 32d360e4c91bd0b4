import type { TemplateSummary } from '@toolcrib/n8n/templates'
import { canonicalJson, type JsonObject, type JsonValue } from '@toolcrib/registry'
import { isJsonObject } from '@toolcrib/kind-compute'

/** Longer defaults are not shown: a model that leaves them out gets them all the same. */
const longestDefault = 34

function showDefault(value: JsonValue): string {
  const text = JSON.stringify(value)
  return text.length > longestDefault ? '=…' : `=${text}`
}

function typeOf(property: JsonObject): string {
  const { enum: choices, type } = property
  if (Array.isArray(choices)) return (choices as readonly JsonValue[]).map(String).join('|')
  if (type === 'string') return ''
  return typeof type === 'string' ? type : ''
}

function describeField(name: string, property: JsonValue, isRequired: boolean): string {
  const known = isJsonObject(property) ? property : {}
  const type = typeOf(known)
  const shown = type === '' ? name : `${name}:${type}`
  if (known['default'] !== undefined) return shown + showDefault(known['default'])
  return isRequired ? `${shown}!` : `${shown}?`
}

/** The customizations of a template, or some of them, in one line, such as `crm_url!, hour:integer=9, credential:object?`. */
export function describeCustomizations(
  { customizationSchema: { properties, required } }: TemplateSummary,
  isShown: (name: string) => boolean = () => true,
): string {
  const needed = new Set(Array.isArray(required) ? (required as readonly JsonValue[]) : [])
  const fields = Object.entries(isJsonObject(properties) ? properties : {})
    .filter(([name]) => isShown(name))
    // What must be given comes first.
    .toSorted(([left], [right]) => Number(needed.has(right)) - Number(needed.has(left)))
    .map(([name, property]) => describeField(name, property, needed.has(name)))
  return fields.length === 0 ? 'none' : fields.join(', ')
}

const fieldsOf = ({ customizationSchema: { properties } }: TemplateSummary): JsonObject =>
  isJsonObject(properties) ? properties : {}

/** The customizations of all templates, a line each; what they share is said once. */
export function describeAllCustomizations(templates: readonly TemplateSummary[]): string {
  const [first, ...others] = templates
  if (first === undefined) return 'none'
  const shared = new Set(
    Object.entries(fieldsOf(first))
      .filter(([name, field]) =>
        others.every((one) => canonicalJson(fieldsOf(one)[name] ?? null) === canonicalJson(field)),
      )
      .map(([name]) => name),
  )
  const own = templates.map(
    (template) =>
      `${template.slug}: ${describeCustomizations(template, (name) => !shared.has(name))}`,
  )
  if (shared.size === 0) return own.join('\n')
  return [...own, `all: ${describeCustomizations(first, (name) => shared.has(name))}`].join('\n')
}

/** Templates, one line each, for a model that chooses. */
export function describeTemplates(templates: readonly TemplateSummary[]): string {
  return templates
    .map(
      ({ slug, title, trigger }) =>
        `${slug}: ${title}${trigger === 'schedule' ? ' (scheduled)' : ''}`,
    )
    .join('\n')
}
