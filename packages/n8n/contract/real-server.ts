/** The server that the contract job started. */
export interface RealServer {
  readonly baseUrl: string
  readonly apiKey: string
  /** May list workflows, and nothing else; absent where the server was started by hand. */
  readonly limitedApiKey: string | undefined
  /** Such as `2.41.1`. */
  readonly version: string
  readonly major: 1 | 2
}

/** Reads which server to test against; the contract job sets it. */
export function readRealServer(): RealServer {
  const { N8N_BASE_URL: baseUrl, N8N_API_KEY: apiKey, N8N_VERSION: version } = process.env
  if (baseUrl === undefined || apiKey === undefined || version === undefined)
    throw new Error(
      'N8N_BASE_URL, N8N_API_KEY and N8N_VERSION name a server that may be changed. `pnpm test:n8n` starts one and sets them.',
    )
  const { N8N_LIMITED_API_KEY: limitedApiKey } = process.env
  return { baseUrl, apiKey, limitedApiKey, version, major: version.startsWith('1.') ? 1 : 2 }
}
