import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { isObject } from '../is-object.ts'
import { isLikeNone, settingsFieldsOf } from '../sent-settings.ts'
import { either, quote } from './quote.ts'
import type { ReadContext } from './read-context.ts'

interface SettingRule {
  readonly what: string
  readonly holds: (value: JsonValue) => boolean
}

const flag: SettingRule = { what: 'true or false', holds: (value) => typeof value === 'boolean' }
const number: SettingRule = {
  what: 'a number',
  holds: (value) => typeof value === 'number',
}
const text: SettingRule = { what: 'a text', holds: (value) => typeof value === 'string' }
const oneOf = (...values: readonly string[]): SettingRule => ({
  what: either(values),
  holds: (value) => values.includes(value as string),
})

/** What the public API of n8n takes (public-api/v1/openapi.yml of both lines). */
const rules: Readonly<Record<string, SettingRule>> = {
  saveExecutionProgress: flag,
  saveManualExecutions: flag,
  saveDataErrorExecution: oneOf('all', 'none'),
  saveDataSuccessExecution: oneOf('all', 'none'),
  executionTimeout: { ...number, what: 'a number of seconds' },
  errorWorkflow: text,
  executionOrder: oneOf('v1', 'v0'),
  callerPolicy: oneOf('any', 'none', 'workflowsFromAList', 'workflowsFromSameOwner'),
  callerIds: { ...text, what: 'a text of ids with commas between them' },
  timeSavedMode: oneOf('fixed', 'dynamic'),
  timeSavedPerExecution: number,
  redactionPolicy: oneOf('none', 'non-manual', 'manual-only', 'all'),
  availableInMCP: flag,
  customTelemetryTags: {
    what: 'a list of objects with key and value, both texts',
    holds: (value) =>
      Array.isArray(value) &&
      (value as readonly JsonValue[]).every(
        (each) =>
          isObject(each) && typeof each['key'] === 'string' && typeof each['value'] === 'string',
      ),
  },
}
/** n8n derives them, and ignores what it is sent. */
const derived: ReadonlySet<string> = new Set(['binaryMode', 'credentialResolverId'])
/** The editor writes this for what it leaves to the server. For a time zone it is a value. */
const leftToServer = 'DEFAULT'

/** Reads the settings of a workflow: leaves out what says nothing, and names what n8n would refuse or drop. */
export function readSettingsValues(given: JsonObject, context: ReadContext): JsonObject {
  const { catalogue, problems, repairs } = context
  const fields = settingsFieldsOf(catalogue.n8nVersion.startsWith('1.') ? 1 : 2)
  const known: Record<string, JsonValue> = {}
  const leftOut: string[] = []
  for (const [name, value] of Object.entries(given)) {
    const isDefault = value === leftToServer && name !== 'timezone'
    const isMissing = !fields.includes(name)
    if (value === null || isDefault || derived.has(name) || (isMissing && isLikeNone(name, value)))
      leftOut.push(name)
    else if (isMissing)
      problems.error({
        code: 'bad-settings',
        path: `settings.${name}`,
        message: `n8n ${catalogue.n8nVersion} has no setting ${name}.`,
        fix: 'Leave it out.',
      })
    else {
      known[name] = value
      const rule = rules[name]
      if (rule !== undefined && !rule.holds(value))
        problems.error({
          code: 'bad-settings',
          path: `settings.${name}`,
          message: `settings.${name} is ${rule.what}; it is ${quote(value)}.`,
          fix: `Write ${rule.what}, or leave it out.`,
        })
    }
  }
  if (leftOut.length > 0)
    repairs.push(
      `Left out ${either(leftOut).replace(' or ', ' and ')} of the settings: n8n sets that itself.`,
    )
  return known
}
