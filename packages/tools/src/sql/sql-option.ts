import { builtInToolError } from '../error-catalogue.ts'

/** Gives a whole number from 1 to 2147483647, the most that timers and the server take. @throws {ToolError} SQL_OPTION_INVALID */
export function checkCount(option: string, value: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= 2_147_483_647) return value
  throw builtInToolError(
    'SQL_OPTION_INVALID',
    `Option ${option} must be a whole number from 1 to 2147483647, and is ${String(value)}.`,
    { data: { option } },
  )
}
