import type { ToolSettings } from '../../settings/tool-settings.ts'
import { sandboxModes } from '../../settings/tool-settings.ts'
import { hostError } from '../../host-error.ts'

/** Where code tools run. */
export type SandboxMode = (typeof sandboxModes)[number]

/** Where code tools shall run, as a program or the settings say it. */
export interface SandboxSettings {
  /** @default 'worker' */
  readonly mode?: SandboxMode | undefined
  /** How many workers or processes at most, 1 to 64. @default as `@toolcrib/sandbox` */
  readonly maxWorkers?: number | undefined
}

/** Where code tools run, and what makes it so. */
export interface SandboxChoice {
  readonly mode: SandboxMode
  readonly maxWorkers?: number
  readonly because: string
}

/** Where a choice may stand, the first that makes one wins. */
export interface SandboxPlaces {
  /** As a program that embeds the host says it. */
  readonly option?: SandboxSettings | undefined
  /** TOOLCRIB_SANDBOX names a mode. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly settings?: NonNullable<ToolSettings['code']>['sandbox'] | undefined
}

/**
 * Decides where code tools run. What was chosen is never replaced by something weaker: where it does not work, calls fail.
 *
 * @throws {ToolError} USAGE when the environment names a mode that there is not.
 */
export function chooseSandbox({ option, environment, settings }: SandboxPlaces): SandboxChoice {
  const maxWorkers = option?.maxWorkers ?? settings?.maxWorkers
  const workers = maxWorkers === undefined ? {} : { maxWorkers }
  const named = readMode(environment['TOOLCRIB_SANDBOX'])
  if (option?.mode !== undefined)
    return { mode: option.mode, because: 'the program that runs the host says so', ...workers }
  if (named !== undefined) return { mode: named, because: 'TOOLCRIB_SANDBOX says so', ...workers }
  if (settings?.mode !== undefined)
    return { mode: settings.mode, because: 'code.sandbox.mode says so', ...workers }
  return { mode: 'worker', because: 'by default', ...workers }
}

function readMode(text: string | undefined): SandboxMode | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const mode = sandboxModes.find((each) => each === text.trim())
  if (mode !== undefined) return mode
  throw hostError(
    'USAGE',
    `TOOLCRIB_SANDBOX must be ${sandboxModes.join(', ')} or nothing, got ${JSON.stringify(text).slice(0, 100)}.`,
  )
}
