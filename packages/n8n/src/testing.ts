export type { N8nHttpRequest } from './transport.ts'
