export { createGuardedFetch, createHttpGuard } from './http/http-guard.ts'
export type {
  AddressLookup,
  CookieStore,
  DeniedService,
  GuardedRequest,
  GuardedResponse,
  HttpGuard,
  HttpGuardOptions,
} from './http/http-guard.ts'
