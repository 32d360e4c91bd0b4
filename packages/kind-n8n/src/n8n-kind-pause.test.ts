import { createN8nClient, type N8nClient } from '@toolcrib/n8n'
import { createN8nDouble, type N8nDouble } from '@toolcrib/n8n/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type N8nHost, openN8nHost } from '../test/n8n-host.ts'
import { adderRequest, adderWorkflow } from '../test/n8n-workflows.ts'

const names = ['add_first', 'add_second', 'add_third'] as const
const numbers = { a: 2, b: 3 }
let double: N8nDouble
let client: N8nClient
let host: N8nHost | undefined

beforeEach(async () => {
  double = await createN8nDouble({ publishDelayMs: 1, unpublishDelayMs: 1 })
  double.onWebhook(
    () => true,
    () => ({ result: { sum: 5 } }),
  )
  client = createN8nClient({
    baseUrl: double.baseUrl,
    apiKey: double.apiKey,
    retry: { retries: 0 },
    timeoutMs: 2_000,
  })
})

afterEach(async () => {
  await double.up()
  await host?.close()
  host = undefined
  await double.close()
})

const liveNames = (): readonly string[] =>
  double
    .workflows()
    .filter(({ active }) => active)
    .map(({ name }) => name.replace('toolcrib/', ''))
    .toSorted()

async function openWithThree(): Promise<N8nHost> {
  const opened = await openN8nHost({ client })
  host = opened
  for (const [plus, name] of names.entries())
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as a person does it
    await opened.make(adderRequest(adderWorkflow({ plus }), { name }))
  return opened
}

describe('a pause', () => {
  const reason = 'an alarm'

  test('stops what runs on n8n by itself; afterwards each tool is callable at once', async () => {
    const opened = await openWithThree()
    const { call, complaints, history, signer, toolsmaker } = opened
    await toolsmaker.deactivateTool(names[2], { reason: 'enough' })
    await toolsmaker.pauseTools({ reason })
    expect(liveNames()).toEqual([])
    expect(await opened.kind.health(names[0])).toMatchObject({ state: 'unknown' })
    await toolsmaker.resumeTools({ signer })
    expect(liveNames()).toEqual([names[0], names[1]])
    for (const name of [names[0], names[1]])
      expect(await call(name, numbers)).toMatchObject({ success: true })
    expect(await history(names[0])).not.toContain('tool_tampered')
    expect(complaints).toEqual([])
  })

  test('that n8n could not be told is said, and n8n is told once it is back', async () => {
    const { call, complaints, kind, signer, toolsmaker } = await openWithThree()
    await double.down()
    await toolsmaker.pauseTools({ reason })
    expect(complaints).toHaveLength(1)
    expect(await call(names[0], numbers)).toMatchObject({ errorCode: 'TOOLS_PAUSED' })
    expect((await kind.listLeftBehind()).map(({ toolName }) => toolName).toSorted()).toEqual(names)
    await double.up()
    await toolsmaker.inspectTools()
    expect(liveNames()).toEqual([])
    expect(await kind.listLeftBehind()).toEqual([])
    await toolsmaker.resumeTools({ signer })
    expect(liveNames()).toEqual(names)
  })

  test('that ends while n8n is down brings each tool back once n8n is', async () => {
    const { call, signer, toolsmaker } = await openWithThree()
    await toolsmaker.pauseTools({ reason })
    await double.down()
    await toolsmaker.resumeTools({ signer })
    expect(await call(names[0], numbers)).toMatchObject({ errorCode: 'TOOL_UNVERIFIED' })
    await double.up()
    expect(await call(names[0], numbers)).toMatchObject({ success: true })
    await toolsmaker.inspectTools()
    expect(liveNames()).toEqual(names)
  })

  test('outlasts a new start, and covers a version that is activated meanwhile', async () => {
    const opened = await openWithThree()
    await opened.toolsmaker.pauseTools({ reason })
    const again = await opened.restart()
    host = again
    expect(liveNames()).toEqual([])
    await again.make(adderRequest(adderWorkflow({ plus: 7 }), { name: names[0] }))
    expect(liveNames(), 'a new version waits too').toEqual([])
    await again.toolsmaker.resumeTools({ signer: again.signer })
    expect(liveNames()).toEqual(names)
    expect(await again.call(names[0], numbers)).toMatchObject({ success: true })
  })
})
