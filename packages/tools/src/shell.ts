export { createShellTool } from './shell-tool.ts'
export type { ShellOutput } from './shell-tool.ts'
export type { ShellToolOptions } from './shell-options.ts'
export type { CommandInput } from './command-input.ts'
