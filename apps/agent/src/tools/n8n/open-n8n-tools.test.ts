import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type N8nDouble, createN8nDouble } from '@toolcrib/n8n/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { resolveDataFolder } from '../../host/data-folder.ts'
import type { ToolGround } from '../built-in/tool-ground.ts'
import { type N8nTools, openN8nTools } from './open-n8n-tools.ts'

let data = ''
let double: N8nDouble | undefined
let tools: N8nTools | undefined

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'toolcrib-n8n-'))
})

afterEach(async () => {
  tools?.close()
  await double?.close()
  rmSync(data, { recursive: true, force: true })
})

/** Opens n8n tools against a server, and tells which catalogue workflows are checked against. */
async function catalogueOf(baseUrl: string, apiKey: string): Promise<string | undefined> {
  const folder = resolveDataFolder({ data, environment: {} })
  mkdirSync(folder.trust, { recursive: true, mode: 0o700 })
  const file = join(data, 'key')
  writeFileSync(file, apiKey, { mode: 0o600 })
  const ground = {
    settings: { n8n: { baseUrl, apiKey: { file }, timeoutMs: 1_000 } },
    settingsFile: join(folder.trust, 'tool-settings.json'),
  } as ToolGround
  tools = await openN8nTools(ground, { folder, namespace: 'default', environment: {} })
  return (await tools?.kind?.nodeCatalogue())?.n8nVersion
}

test.each(['1.123.81', '2.41.1'] as const)(
  'a host on n8n %s checks workflows against what that line has',
  async (version) => {
    double = await createN8nDouble({ version })
    expect(await catalogueOf(double.baseUrl, double.apiKey)).toBe(version)
  },
)

test('a host whose server does not answer checks against what both lines have', async () => {
  double = await createN8nDouble({ version: '2.41.1' })
  const { apiKey, baseUrl } = double
  await double.down()
  expect(await catalogueOf(baseUrl, apiKey)).toBe('1.123.81 and 2.41.1')
  await double.up()
})
