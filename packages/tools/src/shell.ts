export { createShellTool } from './shell/shell-tool.ts'
export type { ShellOutput } from './shell/shell-tool.ts'
export type { ShellToolOptions } from './shell/shell-options.ts'
export type { CommandInput } from './shell/command-input.ts'
