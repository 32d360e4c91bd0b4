import { type N8nClient, createN8nClient } from '../src/index.ts'
import { type N8nDouble, type N8nDoubleOptions, createN8nDouble } from '../src/testing.ts'

/** A double with a client of it, which does not pause between tries. */
export async function startDouble(
  options: N8nDoubleOptions = {},
): Promise<{ readonly double: N8nDouble; readonly client: N8nClient }> {
  const double = await createN8nDouble(options)
  const client = createN8nClient({
    baseUrl: double.baseUrl,
    apiKey: double.apiKey,
    retry: { retries: 0 },
  })
  return { double, client }
}
