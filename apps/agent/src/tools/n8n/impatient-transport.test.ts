import type { N8nHttpRequest, N8nHttpResponse } from '@toolcrib/n8n'
import { ToolError } from '@toolcrib/registry'
import { expect, test } from 'vitest'
import { createImpatientTransport } from './impatient-transport.ts'

const request: N8nHttpRequest = {
  method: 'GET',
  url: new URL('http://127.0.0.1/'),
  headers: {},
  timeoutMs: 30_000,
  maxResponseBytes: 1,
}
const answer: N8nHttpResponse = { status: 200, headers: {}, body: '' }

test('at first requests are short, and after one without an answer none is sent; later they may take what they may', async () => {
  const sent: number[] = []
  let isHanging = false
  const transport = createImpatientTransport(
    {
      send: async ({ timeoutMs }) => {
        sent.push(timeoutMs)
        if (isHanging) throw new ToolError<string>('N8N_TIMEOUT', 'no answer')
        return answer
      },
    },
    { limitMs: 100 },
  )
  await transport.send(request)
  await transport.send({ ...request, timeoutMs: 50 })
  isHanging = true
  await expect(transport.send(request)).rejects.toMatchObject({ code: 'N8N_TIMEOUT' })
  await expect(transport.send(request)).rejects.toMatchObject({
    code: 'N8N_UNREACHABLE',
    data: { sent: false },
  })
  expect(sent).toEqual([100, 50, 100])
  isHanging = false
  transport.beginToWait()
  expect(await transport.send(request)).toBe(answer)
  expect(sent.at(-1)).toBe(30_000)
})

test('a server that answers with an error, or refuses connections, is asked again', async () => {
  let count = 0
  const transport = createImpatientTransport({
    send: async () => {
      count += 1
      throw new ToolError<string>('N8N_UNREACHABLE', 'refused', { data: { sent: false } })
    },
  })
  for (let turn = 0; turn < 3; turn += 1)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(transport.send(request)).rejects.toThrow('refused')
  expect(count).toBe(3)
})
