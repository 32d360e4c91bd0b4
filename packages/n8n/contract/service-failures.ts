import type { JsonObject } from '@toolcrib/registry'
import type { StubAnswer } from './business-stub.ts'

/** How a service can fail, and what the caller is told. */
export const serviceFailures: readonly (readonly [
  what: string,
  answer: StubAnswer,
  error: JsonObject,
  httpStatus: number,
])[] = [
  [
    '422 with a reason',
    { status: 422, body: { error: { message: 'no {{ 1 + 1 }}' } } },
    { code: 'upstream_failed', status: 422 },
    502,
  ],
  ['500', { status: 500, body: {} }, { code: 'upstream_failed', status: 500 }, 502],
  [
    '503 with a page',
    { status: 503, body: '<h1>busy</h1>', type: 'text/html' },
    { code: 'upstream_failed', status: 503 },
    502,
  ],
  [
    '200 with a page',
    { body: '<h1>hello</h1>', type: 'text/html' },
    { code: 'upstream_invalid', status: 200 },
    502,
  ],
  [
    'a redirect',
    { status: 302, body: {}, location: '/elsewhere' },
    { code: 'upstream_failed', status: 302 },
    502,
  ],
  ['a broken connection', 'drop', { code: 'upstream_unreachable' }, 502],
  ['no answer', 'hang', { code: 'upstream_timeout' }, 504],
]
