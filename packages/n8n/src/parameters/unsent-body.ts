import type { JsonObject } from '@toolcrib/registry'
import { isExpression } from '../check/expression-parts.ts'
import type { N8nNode } from '../n8n-workflow.ts'
import { type IgnoredParameter, notRead } from './ignored-parameter.ts'

// n8n-nodes-base, HttpRequest/V3/HttpRequestV3.node: the form of a body counts for these methods on 1.x, for all but those on 2.x.
const firstWith: ReadonlySet<string> = new Set(['PATCH', 'POST', 'PUT', 'GET'])
const secondWithout: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS', 'TRACE'])

/** What an HTTP Request does not send, or not in the form that was asked for, because of its method. */
export function unsentBody(
  { type, typeVersion }: Pick<N8nNode, 'type' | 'typeVersion'>,
  parameters: JsonObject,
  n8nVersion: string,
): readonly IgnoredParameter[] {
  if (!/^n8n-nodes-base\.httpRequest(?:Tool)?$/.test(type) || typeVersion < 3) return []
  const { contentType = 'json', method = 'GET', sendBody } = parameters
  if (sendBody !== true || contentType === 'json') return []
  if (typeof method !== 'string' || isExpression(method)) return []
  if (typeof contentType !== 'string' || isExpression(contentType)) return []
  const counts = n8nVersion.startsWith('1.') ? firstWith.has(method) : !secondWithout.has(method)
  if (counts) return []
  const isLost = contentType === 'raw' || contentType === 'binaryData'
  const names = isLost ? ['sendBody', 'body', 'inputDataFieldName'] : ['contentType']
  return names.flatMap((name) => {
    const value = parameters[name]
    if (value === undefined) return []
    const why = isLost
      ? `with the method ${method} it sends no body of the kind "${contentType}"`
      : `with the method ${method} it sends the fields as JSON`
    const fix = 'Write "contentType": "json", or another method.'
    return [notRead(value, [name], { reason: 'code', why, fix })]
  })
}
