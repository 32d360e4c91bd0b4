import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSandbox } from '@toolcrib/sandbox'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { type CodeHost, openCodeHost } from '../test/open-code-host.ts'

const sandbox = createSandbox({ maxWorkers: 1 })
let host: CodeHost

beforeEach(async () => {
  host = await openCodeHost(sandbox)
})
afterEach(async () => {
  await host.close()
})
afterAll(async () => {
  await sandbox.close()
})

const template = join(import.meta.dirname, '../templates/dynamic-tool-template.ts')

test('the template that is shipped loads as it is', async () => {
  await copyFile(template, join(host.folder, 'agent_ada_count_words.ts'))
  const service = host.openService()
  await service.initialize()
  await service.whenIdle()
  await host.approve('count_words', 1)
  expect(await host.call('ada', 'count_words', { text: 'a b c' })).toEqual({ words: 3 })
})
