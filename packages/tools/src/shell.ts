export { createShellTool } from './shell-tool.ts'
export type { ShellToolOptions } from './shell-tool.ts'
