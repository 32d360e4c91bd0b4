import { logError } from './log-error.ts'

/**
 * Checks the name of a schema, so that it can stand in SQL without quotes.
 *
 * @throws {ToolError} LOG_OPTION_INVALID when the name is not a plain lower-case identifier of at most 48 characters.
 */
export function checkSchemaName(schema: string): string {
  if (/^[a-z_][a-z0-9_]{0,47}$/.test(schema) && !schema.startsWith('pg_')) return schema
  throw logError(
    'LOG_OPTION_INVALID',
    `Option schema must be a lower-case identifier of at most 48 characters that does not begin with pg_, and is "${schema.slice(0, 100)}".`,
    { data: { option: 'schema' } },
  )
}
