export { createMemoryCallLog } from './memory-call-log.ts'
export type { MemoryCallLogOptions } from './memory-call-log.ts'
export { callLogErrorCatalogue } from './log-error.ts'
export type { CallLogError, CallLogErrorCode } from './log-error.ts'
