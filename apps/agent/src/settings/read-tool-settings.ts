import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { hostError } from '../host-error.ts'
import { settingsInvalid } from './settings-error.ts'
import { type ToolSettings, toolSettingsSchema } from './tool-settings.ts'

/** The largest settings file that is read, in bytes. */
const maxSettingsBytes = 1_048_576

/** The file in the trust folder that says what the built-in tools may do. */
export function toolSettingsPath(trustFolder: string): string {
  return join(trustFolder, 'tool-settings.json')
}

/**
 * Reads the settings of the built-in tools; none when there is no file. A file that cannot be used is an error: powers are
 * never guessed.
 *
 * @throws {ToolError} SETTINGS_INVALID with the field, the rule and what to do.
 */
export async function readToolSettings(trustFolder: string): Promise<ToolSettings> {
  const path = toolSettingsPath(trustFolder)
  const text = await readPrivately(path)
  return text === undefined ? {} : parseToolSettings(text, path)
}

/**
 * Reads the text of a settings file.
 *
 * @throws {ToolError} SETTINGS_INVALID
 */
export function parseToolSettings(text: string, path: string): ToolSettings {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // What JSON.parse says quotes the text, in which a secret may stand by mistake.
    throw settingsInvalid(path, 'it is not JSON')
  }
  return checkToolSettings(value, path)
}

/**
 * Checks settings of any origin.
 *
 * @param where they stand, for messages
 * @throws {ToolError} SETTINGS_INVALID
 */
export function checkToolSettings(value: unknown, where: string): ToolSettings {
  const parsed = toolSettingsSchema.safeParse(value)
  if (parsed.success) return withoutContradiction(parsed.data, where)
  const [issue] = parsed.error.issues
  throw settingsInvalid(
    where,
    issue === undefined ? 'it cannot be read' : describeIssue(issue, value),
  )
}

async function readPrivately(path: string): Promise<string | undefined> {
  let file: Awaited<ReturnType<typeof open>>
  try {
    file = await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw settingsInvalid(path, `it cannot be read: ${(error as Error).message}`)
  }
  try {
    const { mode, size } = await file.stat()
    if (process.platform !== 'win32' && (mode & 0o022) !== 0)
      throw hostError(
        'SETTINGS_INVALID',
        `${path} can be written by others, who could give tools more power. Run: chmod 600 '${path}'`,
      )
    if (size > maxSettingsBytes)
      throw settingsInvalid(path, `it is larger than ${maxSettingsBytes} bytes`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** What the schema cannot say. */
function withoutContradiction(settings: ToolSettings, where: string): ToolSettings {
  const { n8n, shell, secrets = {} } = settings
  const secretVariables = new Set(['DATABASE_URL'])
  if (n8n !== undefined && 'environment' in n8n.apiKey) secretVariables.add(n8n.apiKey.environment)
  for (const secret of Object.values(secrets))
    if ('environment' in secret) secretVariables.add(secret.environment)
  for (const [field, policy] of [
    ['policy', settings.policy],
    ['code.policy', settings.code?.policy],
  ] as const) {
    const unknown = policy?.secrets?.names.find((name) => !Object.hasOwn(secrets, name))
    if (unknown !== undefined)
      throw settingsInvalid(
        where,
        `${field}.secrets.names: has ${unknown}, which stands not under "secrets"`,
      )
  }
  const shown = shell?.environment?.find((name) => secretVariables.has(name))
  if (shown === undefined) return settings
  throw settingsInvalid(
    where,
    `shell.environment: has ${shown}, which holds a secret; commands must not see it`,
  )
}

function describeIssue(issue: z.core.$ZodIssue, settings: unknown): string {
  const place = issue.path.join('.')
  const found = issue.path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    settings,
  )
  // What stands under secrets, or for the server of n8n, may be a secret by mistake; it is not shown. Rules of policies show the value themselves.
  const isToShow =
    issue.path[0] !== 'secrets' &&
    !(
      issue.path[0] === 'n8n' &&
      ['apiKey', 'baseUrl', 'webhookBaseUrl'].includes(String(issue.path[1]))
    ) &&
    !(issue.path.includes('policy') && issue.code === 'custom')
  const isShown = isToShow && ['string', 'number', 'boolean'].includes(typeof found)
  const got = isShown ? `, got ${JSON.stringify(found).slice(0, 100)}` : ''
  return `${place === '' ? '' : `${place}: `}${issue.message}${got}`
}
