import { ToolPolicyViolation } from '@toolcrib/policy'

/** Variables of the host that commands see unless told otherwise. */
export const defaultHostVariables: readonly string[] = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TERM']

/**
 * What a call may set although only some commands may run: it steers how they write, not what they start. Values that
 * lead to a file are refused, since several of these also say where translations or time zones are read.
 */
const harmlessVariables: ReadonlySet<string> = new Set([
  'LANG',
  'LANGUAGE',
  'LC_ALL',
  'LC_COLLATE',
  'LC_CTYPE',
  'LC_MESSAGES',
  'LC_NUMERIC',
  'LC_TIME',
  'TZ',
  'TERM',
  'COLUMNS',
  'LINES',
  'NO_COLOR',
  'FORCE_COLOR',
  'CLICOLOR',
  'CI',
])

/** What the variables of a command are made from. */
export interface EnvironmentSources {
  readonly host: Readonly<Record<string, string | undefined>>
  /** Which of the host's are passed on. */
  readonly hostVariables: readonly string[]
  readonly workspace: string
  /** Those that the call sets. */
  readonly input: Readonly<Record<string, string>> | undefined
  /** Which ones calls may set; `undefined` for any. */
  readonly inputVariables: readonly string[] | undefined
}

/**
 * The variables of a command. Nothing of the host gets in that is not named.
 *
 * @throws {ToolPolicyViolation} shell.command when the call sets a variable that could start another program.
 */
export function commandEnvironment(sources: EnvironmentSources): Record<string, string> {
  const { host, hostVariables, workspace, input = {}, inputVariables } = sources
  const environment: Record<string, string> = {}
  for (const name of hostVariables) {
    const value = host[name]
    if (value !== undefined) environment[name] = value
  }
  environment['HOME'] = workspace
  for (const [name, value] of Object.entries(input)) {
    if (inputVariables !== undefined && !mayBeSet(name, value, inputVariables)) throw refused(name)
    environment[name] = value
  }
  return environment
}

function mayBeSet(name: string, value: string, inputVariables: readonly string[]): boolean {
  if (inputVariables.includes(name)) return true
  return harmlessVariables.has(name) && !value.includes('..') && !/(?:^|:)\//u.test(value)
}

function refused(name: string): ToolPolicyViolation {
  return new ToolPolicyViolation({
    rule: 'shell.command',
    tried: `set the variable ${name} for a command`,
    howToAsk:
      'Many variables make a program start another one, so where only some commands are allowed, only some ' +
      'variables are. Leave it out, or ask an operator to name it in the inputVariables of the shell tool.',
  })
}
