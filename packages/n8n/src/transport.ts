/** One HTTP exchange that a client of n8n wants. */
export interface N8nHttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  readonly url: URL
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** UTF-8 text. */
  readonly body?: string
  /** For the whole exchange, in milliseconds. */
  readonly timeoutMs: number
  /** An answer with more bytes, decompressed, ends in N8N_RESPONSE_TOO_LARGE. */
  readonly maxResponseBytes: number
  readonly signal?: AbortSignal | undefined
}

/** The answer to a {@link N8nHttpRequest}, of any status. */
export interface N8nHttpResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * How requests reach n8n. Sends each exactly once: it follows no redirect, repeats nothing, and keeps no cookies.
 *
 * It rejects with {@link ToolError} N8N_UNREACHABLE (with `data.sent`: whether the request may have arrived), N8N_TIMEOUT
 * or N8N_RESPONSE_TOO_LARGE, and with the reason of `signal` when that aborts.
 */
export interface N8nTransport {
  send(request: N8nHttpRequest): Promise<N8nHttpResponse>
}
