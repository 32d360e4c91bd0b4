export type { CallerGuards, CallerGuardSource } from './caller-guards.ts'
export { createFileCallerGuards } from './file-caller-guards.ts'
export { createFileTool } from './file-tool.ts'
export type { FileToolOptions } from './file-tool.ts'
