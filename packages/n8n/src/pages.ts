import type { JsonValue } from '@toolcrib/registry'
import type { ApiCall, ApiRequests } from './api-requests.ts'
import type { Deadline } from './deadline.ts'
import { isObject } from './is-object.ts'
import { n8nError } from './error-catalogue.ts'
import type { N8nCallOptions } from './n8n-client.ts'
import { assertWholeNumber } from './option-check.ts'

const maxPageSize = 250
const defaultPageSize = 100
/** Pages without an entry, one after the other; a list that changes meanwhile may have some. */
const maxEmptyPages = 20

interface ListOptions extends N8nCallOptions {
  /** For all pages. @default a new one for each, since nobody knows how long the caller takes for its entries */
  readonly deadline?: Deadline
}

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
  options: ListOptions = {},
): AsyncGenerator<Entry, void, undefined> {
  const seen = new Set<string>()
  let cursor: string | undefined
  let emptyPages = 0
  for (;;) {
    const deadline = options.deadline ?? requests.start(options)
    const page = await requests.call(
      { method: 'GET', path, query: { ...query, limit: pageSize, cursor } },
      deadline,
    )
    const { data, nextCursor } = isObject(page) ? page : {}
    if (!Array.isArray(data))
      throw n8nError('N8N_RESPONSE_INVALID', `${path}: the answer has no list. Check baseUrl.`)
    emptyPages = data.length === 0 ? emptyPages + 1 : 0
    for (const entry of data as readonly JsonValue[]) {
      options.signal?.throwIfAborted()
      yield read(entry)
    }
    if (typeof nextCursor !== 'string' || nextCursor === '') return
    if (seen.has(nextCursor) || emptyPages >= maxEmptyPages)
      throw n8nError(
        'N8N_RESPONSE_INVALID',
        `${path}: n8n gave ${seen.has(nextCursor) ? 'the same cursor twice' : `${emptyPages} empty pages`}, so the list would never end.`,
      )
    seen.add(nextCursor)
    cursor = nextCursor
  }
}
