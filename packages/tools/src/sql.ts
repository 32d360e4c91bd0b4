export { createSqlTool } from './sql-tool.ts'
export type { SqlToolOptions } from './sql-tool.ts'
export type { SqlDatabase, SqlLimits, SqlOutcome, SqlStatement } from './sql-tool.ts'
