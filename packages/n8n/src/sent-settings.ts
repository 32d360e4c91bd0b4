import { canonicalJson, type JsonObject, type JsonValue } from '@toolcrib/registry'

/** Settings that both lines of n8n take, with what stands for leaving them out. */
const oldSettings = {
  saveExecutionProgress: false,
  saveManualExecutions: true,
  saveDataErrorExecution: 'all',
  saveDataSuccessExecution: 'all',
  executionTimeout: -1,
  errorWorkflow: '',
  timezone: 'DEFAULT',
  executionOrder: 'v0',
  callerPolicy: 'workflowsFromSameOwner',
  callerIds: '',
  timeSavedPerExecution: 0,
  availableInMCP: false,
} as const satisfies JsonObject

const settingsOf: Readonly<Record<1 | 2, JsonObject>> = {
  1: oldSettings,
  2: {
    ...oldSettings,
    errorWorkflow: 'DEFAULT',
    binaryMode: 'separate',
    timeSavedMode: 'fixed',
    redactionPolicy: 'none',
    customTelemetryTags: [],
    credentialResolverId: '',
  },
}

/** What n8n's public API takes of the settings. */
export function settingsFieldsOf(major: 1 | 2): readonly string[] {
  return Object.keys(settingsOf[major])
}

/** In its newer line. */
export const settingsFields: readonly string[] = settingsFieldsOf(2)

/**
 * The settings that n8n takes. It keeps those that a request leaves out, such as an error workflow of an older version, so
 * what is stored and not wanted any more is sent with the value that stands for none.
 */
export function toSentSettings(
  wanted: JsonObject,
  { major, stored = {} }: { readonly major: 1 | 2; readonly stored?: JsonObject | undefined },
): JsonObject {
  const sent: Record<string, JsonValue> = {}
  for (const [name, none] of Object.entries(settingsOf[major])) {
    const value = wanted[name] ?? (stored[name] === undefined ? undefined : none)
    if (value !== undefined) sent[name] = value
  }
  return sent
}

/** Whether a setting says what leaving it out says, so that a workflow with it is the same as one without. */
export function isLikeNone(name: string, value: JsonValue): boolean {
  const text = canonicalJson(value)
  return ([1, 2] as const).some((major) => {
    const none = Object.hasOwn(settingsOf[major], name) ? settingsOf[major][name] : undefined
    return none !== undefined && canonicalJson(none) === text
  })
}
