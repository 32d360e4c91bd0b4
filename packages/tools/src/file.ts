export type { CallerGuards, CallerGuardSource } from './caller-guards.ts'
export { createFileCallerGuards } from './file/file-caller-guards.ts'
export { createFileTool } from './file/file-tool.ts'
export type { FileToolOptions } from './file/file-tool.ts'
