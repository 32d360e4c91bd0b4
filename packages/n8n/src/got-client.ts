import { createN8nClient as createClient } from './create-client.ts'
import { createGotTransport } from './got-transport.ts'
import type { N8nClient, N8nClientOptions } from './n8n-client.ts'

/**
 * Makes a client of one n8n server, over connections of its own unless a transport is given. Nothing is sent before the
 * first call.
 *
 * @throws {ToolError} N8N_OPTION_INVALID naming the field, the rule, the value and what to do
 */
export function createN8nClient(options: N8nClientOptions): N8nClient {
  const transport = (options as Partial<N8nClientOptions> | undefined)?.transport
  return createClient({ ...options, transport: transport ?? createGotTransport() })
}
