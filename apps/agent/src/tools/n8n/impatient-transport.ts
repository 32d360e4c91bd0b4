import type { N8nTransport } from '@toolcrib/n8n'
import { ToolError } from '@toolcrib/registry'

/** A transport that does not wait long at first. */
export interface ImpatientTransport extends N8nTransport {
  /** From now on requests may take what they may. */
  beginToWait(): void
}

/**
 * Gives up on a server that does not answer: until {@link ImpatientTransport.beginToWait} no request takes longer than `limitMs`,
 * and after the first that did, none is sent. So a server that hangs keeps no host from starting.
 */
export function createImpatientTransport(
  transport: N8nTransport,
  { limitMs = 3_000 }: { readonly limitMs?: number } = {},
): ImpatientTransport {
  let isPatient = false
  let isSilent = false
  return {
    send: async (request) => {
      if (isPatient) return transport.send(request)
      if (isSilent)
        throw new ToolError<string>('N8N_UNREACHABLE', 'n8n did not answer a moment ago.', {
          data: { sent: false },
        })
      try {
        return await transport.send({
          ...request,
          timeoutMs: Math.min(limitMs, request.timeoutMs),
        })
      } catch (error) {
        if (ToolError.is(error, 'N8N_TIMEOUT')) isSilent = true
        throw error
      }
    },
    beginToWait: () => {
      isPatient = true
    },
  }
}
