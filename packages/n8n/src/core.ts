export type { N8nClient, N8nClientOptions } from './n8n-client.ts'
