export { createGuardedFetch, createHttpGuard } from './http-guard.ts'
export type {
  AddressLookup,
  CookieStore,
  DeniedService,
  GuardedRequest,
  GuardedResponse,
  HttpGuard,
  HttpGuardOptions,
} from './http-guard.ts'
