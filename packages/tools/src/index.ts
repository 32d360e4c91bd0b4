export { defaultToolPolicy } from './built-in-policy.ts'
export { createBuiltInTools } from './built-in-tools.ts'
export type {
  BuiltInDatabase,
  BuiltInTools,
  BuiltInToolsOptions,
  HttpGuardSettings,
} from './built-in-tools.ts'
export { createDefaultRegistry } from './default-registry.ts'
export type { DefaultRegistryOptions } from './default-registry.ts'
export { builtInToolErrorCatalogue } from './error-catalogue.ts'
export type { BuiltInToolErrorCode } from './error-catalogue.ts'
export * from './file.ts'
export * from './http.ts'
export * from './shell.ts'
export * from './sql.ts'
