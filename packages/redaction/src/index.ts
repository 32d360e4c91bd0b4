export { OptionsError } from './assert-options.ts'
export { createRedactor } from './redactor.ts'
export type { JsonPair, Redactor, RedactorOptions } from './redactor.ts'
