import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkToolSettings } from './read-tool-settings.ts'
import { n8nAdminServices } from '../tools/n8n/n8n-admin-services.ts'
import { readN8nKey } from '../tools/n8n/n8n-key.ts'
import { neededScopes } from '../tools/n8n/n8n-report.ts'
import { n8nSettingsSchema } from './n8n-settings.ts'

const valid = { baseUrl: 'http://127.0.0.1:5678', apiKey: { environment: 'N8N_KEY' } } as const
const check = (n8n: object, more: object = {}): ReturnType<typeof checkToolSettings> =>
  checkToolSettings({ n8n: { ...valid, ...n8n }, ...more }, 'settings')

test('everything that may stand there is taken', () => {
  const n8n = {
    ...valid,
    enabled: true,
    webhookBaseUrl: 'https://hooks.example.com/n8n',
    timeoutMs: 1_000,
    inspectEveryMs: 100,
    privateAddresses: ['10.1.2.3'],
    nodes: { allow: ['*'], deny: ['x'], allowCode: true, allowSubWorkflows: true, hosts: ['a.b'] },
  }
  expect(checkToolSettings({ n8n }, 'settings')).toEqual({ n8n })
})

test.for([
  ['a key', { apiKey: 'n8n_api_0123456789' }, /n8n\.apiKey: needs "environment".*never stands/],
  ['the value of a key', { apiKey: { value: 'n8n_api_0123456789' } }, /n8n\.apiKey/],
  ['no key', { apiKey: undefined }, /n8n\.apiKey/],
  ['two keys', { apiKey: { environment: 'A', file: '/a' } }, /n8n\.apiKey/],
  ['an address that is none', { baseUrl: 'n8n.example.com' }, /n8n\.baseUrl: must be an address/],
  ['another scheme', { baseUrl: 'ftp://a' }, /n8n\.baseUrl: must be an address/],
  [
    'a password in the address',
    { baseUrl: 'http://u:n8n_api_0123456789@127.0.0.1:1' },
    /n8n\.baseUrl: must be an address/,
  ],
  [
    'a token in the address',
    { webhookBaseUrl: 'http://a/?k=n8n_api_0123456789' },
    /n8n\.webhookBaseUrl/,
  ],
  ['a misspelt field', { timeoutMS: 1_000 }, /n8n: .*"timeoutMS"/],
  ['a misspelt power', { nodes: { allowcode: true } }, /n8n\.nodes: .*"allowcode"/],
  ['too short a time', { timeoutMs: 999 }, /n8n\.timeoutMs/],
  ['too short a pause', { inspectEveryMs: 99 }, /n8n\.inspectEveryMs/],
] as const)('%s is refused by name, and no secret is shown', ([, n8n, message]) => {
  const checking = (): unknown => check(n8n)
  expect(checking).toThrow(expect.objectContaining({ code: 'SETTINGS_INVALID' }))
  expect(checking).toThrow(message)
  expect(checking).not.toThrow(/n8n_api_0123456789/)
})

test('commands of the shell do not see the variable that holds the key', () => {
  expect(() => check({}, { shell: { enabled: true, environment: ['N8N_KEY'] } })).toThrow(
    /shell\.environment: has N8N_KEY, which holds a secret/,
  )
})

test('a key that is missing, or too short to be hidden, has a reason and shows nothing', () => {
  const read = (environment: Readonly<Record<string, string>>): unknown =>
    readN8nKey(valid, { environment, where: 'settings' })
  expect(read({ N8N_KEY: 'n8n_api_0123456789' })).toEqual({ value: 'n8n_api_0123456789' })
  expect(read({})).toEqual({ problem: expect.stringContaining('"N8N_KEY" is not set') })
  expect(read({ N8N_KEY: 'abc' })).toEqual({ problem: expect.not.stringContaining('abc') })
})

test('the admin paths of both addresses are denied, below the path where n8n lives', () => {
  const { n8n } = check({ webhookBaseUrl: 'https://hooks.example.com/n8n/' })
  const services = n8nAdminServices(n8n)
  expect(services).toContainEqual({ host: '127.0.0.1', port: 5678, path: '/api' })
  expect(services).toContainEqual({ host: 'hooks.example.com', port: 443, path: '/n8n/rest' })
  expect(services.some(({ path }) => path?.includes('webhook'))).toBe(false)
  expect(n8nAdminServices(undefined)).toEqual([])
})

test('the page for operators has every setting, every scope and every path that is denied', () => {
  const page = readFileSync(new URL('../../../../docs/n8n-tools.md', import.meta.url), 'utf8')
  const { nodes, ...fields } = n8nSettingsSchema.shape
  const names = [
    ...Object.keys(fields),
    ...Object.keys(nodes.unwrap().shape).map((name) => `nodes.${name}`),
    ...neededScopes,
    ...n8nAdminServices(valid).flatMap(({ path = '' }) => (path === '/mcp-test' ? [] : [path])),
  ]
  for (const name of names) expect(page).toContain(`\`${name}\``)
})
