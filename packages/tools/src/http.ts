export { createHttpTool } from './http-tool.ts'
export type { HttpToolOptions } from './http-tool.ts'
