import { createSandbox } from '@toolcrib/sandbox'
import { afterAll, expect, test, vi } from 'vitest'
import { adding, numeral, until } from '../../test/dynamic-sources.ts'
import { openCodeHost } from '../../test/open-code-host.ts'
import type { DynamicToolService } from '../index.ts'

vi.setConfig({ testTimeout: 120_000 })

const sandbox = createSandbox({ maxWorkers: 1 })
afterAll(() => sandbox.close())

const loaded = (service: DynamicToolService): readonly string[] =>
  service.list().flatMap(({ file, status }) => (status === 'loaded' ? [file] : []))
const fileOf = (agent: string, index: number): string => `agent_${agent}_add_${numeral(index)}.ts`

test('a file whose owner is over its quota says so, and is loaded once there is room', async () => {
  const host = await openCodeHost(sandbox, { ownerLimits: { pending: 2 } })
  for (let index = 0; index < 4; index += 1)
    // oxlint-disable-next-line no-await-in-loop -- four files
    await host.write(fileOf('ada', index), adding(index))
  await host.write(fileOf('bob', 9), adding(9))
  const service = host.openService({ debounceMs: 10 })
  await service.initialize()
  await service.whenIdle()
  const waiting = service.list().filter(({ status }) => status === 'failed')
  expect(waiting).toHaveLength(2)
  for (const { agentId, reason } of waiting)
    expect([agentId, reason]).toEqual([
      'ada',
      expect.stringMatching(/2 proposals of .*agent:ada.* wait for a person, and 2 may/),
    ])
  expect(loaded(service)).toContain(fileOf('bob', 9))
  // A decision about one of them makes room for one more, and so on.
  for (let count = 4; count <= 5; count += 1) {
    const next = host.toolsmaker.listPending().find(({ owner }) => owner === 'agent:ada')
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await host.toolsmaker.rejectTool(next?.name ?? '', 1, { reason: 'not needed' })
    // oxlint-disable-next-line no-await-in-loop -- as above
    await until(() => loaded(service).length >= count, `${String(count)} files are loaded`)
  }
  await host.close()
})

test('a folder with more files than may be proposed in a minute is loaded minute by minute', async () => {
  const host = await openCodeHost(sandbox, { ownerLimits: { proposalsPerMinute: 2 } })
  for (let index = 0; index < 3; index += 1)
    // oxlint-disable-next-line no-await-in-loop -- three files
    await host.write(fileOf('ada', index), adding(index))
  const service = host.openService({ debounceMs: 10 })
  await service.initialize()
  await service.whenIdle()
  expect(loaded(service)).toHaveLength(2)
  const late = service.list().find(({ status }) => status === 'failed')
  expect(late?.reason).toMatch(/2 times within a minute.*Try again in \d+ s/)
  // It waits by itself, so that idle means idle.
  expect(await service.loadNow(late?.file ?? '')).toMatchObject({ status: 'failed' })
  await host.close()
})
