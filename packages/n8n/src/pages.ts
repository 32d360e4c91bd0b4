import type { JsonValue } from '@toolcrib/registry'
import type { ApiCall, ApiRequests } from './api-requests.ts'
import { isObject } from './entity.ts'
import { n8nError } from './error-catalogue.ts'
import type { N8nCallOptions } from './n8n-client.ts'
import { assertWholeNumber } from './option-check.ts'

const maxPageSize = 250
const defaultPageSize = 100

/** What is listed, and how an entry is read. */
export interface Listing<Entry> {
  readonly path: string
  readonly query?: ApiCall['query']
  readonly pageSize?: number | undefined
  readonly read: (entry: JsonValue) => Entry
}

/** @throws {ToolError} N8N_OPTION_INVALID, since n8n would cut a larger page without a word */
export function assertPageSize(pageSize: number | undefined): void {
  if (pageSize !== undefined) assertWholeNumber('pageSize', pageSize, { from: 1, to: maxPageSize })
}

/**
 * Every entry, page by page; the next page is asked for when it is needed. n8n's cursors know nothing of the filters, so
 * these go along with each; and a cursor that comes again would never end.
 *
 * @yields the entries as they are listed
 */
export async function* listPages<Entry>(
  requests: ApiRequests,
  { path, query = {}, pageSize = defaultPageSize, read }: Listing<Entry>,
  options: N8nCallOptions = {},
): AsyncGenerator<Entry, void, undefined> {
  const seen = new Set<string>()
  let cursor: string | undefined
  for (;;) {
    // For each page, since nobody knows how long the caller takes for its entries.
    const deadline = requests.start(options)
    const page = await requests.call(
      { method: 'GET', path, query: { ...query, limit: pageSize, cursor } },
      deadline,
    )
    const { data, nextCursor } = isObject(page) ? page : {}
    if (!Array.isArray(data))
      throw n8nError('N8N_RESPONSE_INVALID', `${path}: the answer has no list. Check baseUrl.`)
    for (const entry of data as readonly JsonValue[]) {
      options.signal?.throwIfAborted()
      yield read(entry)
    }
    if (typeof nextCursor !== 'string' || nextCursor === '') return
    if (seen.has(nextCursor))
      throw n8nError(
        'N8N_RESPONSE_INVALID',
        `${path}: n8n gave the same cursor twice, so the list would never end.`,
      )
    seen.add(nextCursor)
    cursor = nextCursor
  }
}
