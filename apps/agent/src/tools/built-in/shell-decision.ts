import type { ToolSettings } from '../../settings/tool-settings.ts'

/** What keeps the processes of a command apart from the host; see the shell tool. */
export type Containment = NonNullable<NonNullable<ToolSettings['shell']>['containment']>

/** Whether the shell tool is there, and how its commands are kept apart from the host. */
export type ShellDecision =
  | { readonly isOn: false; readonly because: string }
  | { readonly isOn: true; readonly because: string; readonly containment: Containment }

/**
 * Decides whether the shell tool is there. It needs a switch in the settings. Commands run in a sandbox, and where none works
 * each call is refused: to run them without one, with the powers of the host's user, must be written down as such.
 */
export function decideShell(settings: ToolSettings['shell'], settingsFile: string): ShellDecision {
  if (settings?.enabled !== true)
    return {
      isOn: false,
      because: `commands run only when the settings say so; to switch it on, write { "shell": { "enabled": true } } into ${settingsFile}, or "shell" beside what stands there, and start the host again`,
    }
  const { containment } = settings
  return {
    isOn: true,
    containment: containment ?? 'bubblewrap',
    because: `shell.enabled is true${containment === undefined ? '' : `, shell.containment is "${containment}"`}`,
  }
}
