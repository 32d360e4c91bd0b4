import { setTimeout as wait } from 'node:timers/promises'

/** API keys of a server. */
export interface ServerKeys {
  /** May do everything. */
  readonly apiKey: string
  /** May list workflows, and nothing else. */
  readonly limitedApiKey: string
}

const owner = { email: 'owner@example.test', password: `Only-4-tests-${crypto.randomUUID()}` }

interface RestAnswer {
  readonly status: number
  readonly data: unknown
  readonly cookie: string | undefined
}

async function rest(
  address: string,
  options: { readonly body?: object; readonly cookie?: string | undefined } = {},
): Promise<RestAnswer> {
  const { body, cookie } = options
  const response = await fetch(address, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      ...(cookie === undefined ? {} : { cookie }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const set = response.headers.getSetCookie().find((each) => each.startsWith('n8n-auth='))
  const text = await response.text()
  if (response.status !== 200)
    throw new Error(`${address} answered ${String(response.status)}: ${text.slice(0, 300)}`)
  const { data } = JSON.parse(text) as { readonly data: unknown }
  return { status: response.status, data, cookie: set?.split(';')[0] }
}

/** Makes the owner of a new server, and API keys; it goes the way that the editor goes, for n8n has no other. */
export async function createKeys(baseUrl: string): Promise<ServerKeys> {
  const { cookie } = await rest(`${baseUrl}/rest/owner/setup`, {
    body: { ...owner, firstName: 'Test', lastName: 'Owner' },
  })
  const scopes = await rest(`${baseUrl}/rest/api-keys/scopes`, { cookie })
  const make = async (label: string, wanted: unknown): Promise<string> => {
    const { data } = await rest(`${baseUrl}/rest/api-keys`, {
      cookie,
      body: { label, scopes: wanted, expiresAt: null },
    })
    return (data as { readonly rawApiKey: string }).rawApiKey
  }
  const apiKey = await make('contract', scopes.data)
  // Two keys of one second are the same token to 1.x, which refuses the second.
  await wait(1_100)
  return { apiKey, limitedApiKey: await make('contract, limited', ['workflow:list']) }
}
