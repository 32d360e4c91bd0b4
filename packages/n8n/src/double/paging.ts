import { type DoubleAnswer, answerJson, refuse } from './double-answer.ts'
import type { DoubleState } from './double-state.ts'

/** How many entries a page has, as the release reads `limit`. */
function readLimit(state: DoubleState, query: URLSearchParams): number {
  const text = query.get('limit')
  if (text === null) return 100
  const limit = Number(text)
  if (state.major === 1) {
    if (limit > 250) refuse(400, 'request/query/limit must be <= 250')
    return limit === 0 ? 100 : limit
  }
  if (!Number.isInteger(limit) || limit < 0)
    refuse(400, 'request/query/limit Param `limit` must be a non-negative integer')
  return limit === 0 ? 100 : Math.min(limit, 250)
}

function readCursor(text: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as Record<string, unknown>
  } catch {
    return refuse(400, 'An invalid cursor was provided')
  }
}

const writeCursor = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')

/** A page by place. The cursor has no filters in it: a caller has to repeat them. */
export function pageByOffset(
  state: DoubleState,
  query: URLSearchParams,
  all: readonly unknown[],
): DoubleAnswer {
  const text = query.get('cursor')
  const cursor = text === null ? undefined : readCursor(text)
  const limit = cursor === undefined ? readLimit(state, query) : Number(cursor['limit'])
  const offset = cursor === undefined ? 0 : Number(cursor['offset'])
  if (!Number.isInteger(limit) || !Number.isInteger(offset))
    refuse(400, 'An invalid cursor was provided')
  const next = offset + limit
  return answerJson(200, {
    data: all.slice(offset, next),
    nextCursor: next < all.length ? writeCursor({ limit, offset: next }) : null,
  })
}

/** A page by the last id of the one before, as executions have it. */
export function pageByLastId<T extends { readonly id: string }>(
  state: DoubleState,
  query: URLSearchParams,
  all: readonly T[],
): { readonly data: readonly T[]; readonly nextCursor: string | null } {
  const text = query.get('cursor')
  const cursor = text === null ? undefined : readCursor(text)
  const limit = cursor === undefined ? readLimit(state, query) : Number(cursor['limit'])
  const lastId = cursor === undefined ? Infinity : Number(cursor['lastId'])
  const rest = all.filter((each) => Number(each.id) < lastId)
  const data = rest.slice(0, limit)
  return {
    data,
    nextCursor: rest.length > limit ? writeCursor({ lastId: data.at(-1)?.id, limit }) : null,
  }
}
