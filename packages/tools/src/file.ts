export { createFileTool } from './file-tool.ts'
export type { FileToolOptions } from './file-tool.ts'
