import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A service of this machine that tells the weather to whoever has its key, and remembers who asked. */
export interface WeatherService {
  readonly origin: string
  readonly key: string
  readonly requests: { readonly path: string; readonly key: string | undefined }[]
  close(): Promise<void>
}

export async function startWeatherService(): Promise<WeatherService> {
  const key = 'weather-key-0123456789abcdef'
  const requests: WeatherService['requests'] = []
  const server: Server = createServer((request, response) => {
    const given = request.headers['x-api-key']
    requests.push({ path: request.url ?? '', key: typeof given === 'string' ? given : undefined })
    // An answer that never comes, for whoever shall be killed while it waits.
    if (request.url === '/v1/Never') return
    response.setHeader('content-type', 'application/json')
    response.statusCode = request.url === '/v1/Atlantis' ? 404 : given === key ? 200 : 401
    // A careless service, which says the key back.
    response.end(JSON.stringify(given === key ? { celsius: 21, key: given } : { error: 'no key' }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    requests,
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** What a tool of the weather service may differ in. */
export interface WeatherTool {
  readonly description?: string
  /** Statements before the request. */
  readonly before?: string
  /** What it gives, with `answer` in reach. */
  readonly gives?: string
  readonly expected?: unknown
}

/** The source of a code tool that asks the service, with its key. */
export function weatherTool(
  origin: string,
  {
    description = 'Says how warm it is in a city, from the weather service',
    before = '',
    gives = '{ celsius: answer.json.celsius }',
    expected = { celsius: 7 },
  }: WeatherTool = {},
): string {
  return `export const toolcrib = {
  description: ${JSON.stringify(description)},
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string', maxLength: 80 } },
    required: ['city'],
    additionalProperties: false,
  },
  capabilities: ['http', 'secrets'],
  allowedDomains: ['${origin}'],
  secrets: ['WEATHER_KEY'],
  humanReadableFormat: 'Ask how warm it is in \${input.city}',
  examples: [
    {
      input: { city: 'Bern' },
      expected: ${JSON.stringify(expected)},
      fixtures: [
        { operation: 'secrets.ref', result: 'a-placeholder' },
        {
          operation: 'http.request',
          argument: { url: '${origin}/v1/Bern' },
          result: { status: 200, json: { celsius: 7 } },
        },
      ],
    },
  ],
}

export default async (input: { city: string }, ctx: any) => {
  const key: string = await ctx.secrets.ref('WEATHER_KEY')
${before}
  const answer = await ctx.http.get(\`${origin}/v1/\${input.city}\`, { headers: { 'x-api-key': key } })
  ctx.log('info', 'The service said ' + answer.text)
  if (!answer.ok) throw new Error('The service refused: ' + answer.status)
  return ${gives}
}
`
}
