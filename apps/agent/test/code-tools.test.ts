import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApprover } from '@toolcrib/toolsmaker'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestHost } from './test-host.ts'
import { type WeatherService, startWeatherService, weatherTool } from './weather-service.ts'

const passphrase = 'correct horse battery'

let service: WeatherService
const host = new TestHost()
const write = (file: string, text: string): void =>
  writeFileSync(join(host.folder.path, file), text)
const hashOf = (shown: string): string => /^sha256 ([0-9a-f]{64})$/m.exec(shown)?.[1] ?? 'none'

beforeAll(async () => {
  service = await startWeatherService()
  const { origin } = service
  host.writeSettings({
    code: {
      policy: {
        fs_read: { paths: ['.'] },
        fs_write: { paths: ['.'] },
        http: { origins: ['http://127.0.0.1:*'], privateAddresses: ['127.0.0.1'] },
      },
    },
    secrets: {
      WEATHER_KEY: { environment: 'WEATHER_KEY', hosts: [origin], headers: ['x-api-key'] },
    },
  })
  await createApprover(join(host.data, 'trust'), { id: 'alice', passphrase })
  await host.start({ WEATHER_KEY: service.key })
})
afterAll(async () => {
  await host.stop()
  await service.close()
  host.folder.remove()
})

/** Everything that a host wrote to its folder or said to somebody about its calls. */
async function everythingOnRecord(): Promise<string> {
  const log = await host.run('log', '--json')
  const audit = await host.run('audit', 'list', '--json')
  return [
    log.stdout,
    audit.stdout,
    readFileSync(join(host.data, 'store/audit.jsonl'), 'utf8'),
    readFileSync(join(host.data, 'host.log'), 'utf8'),
  ].join('\n')
}

describe('the life of a code tool at the command line', { timeout: 120_000 }, () => {
  test('a TypeScript file becomes a proposal, and nothing is sent before a person approves it', async () => {
    write('how_warm.ts', weatherTool(service.origin))
    const made = await host.run('make', 'how_warm.ts')
    expect(made.stderr).toMatch(/Next: toolcrib approvals approve how_warm@1/)
    expect({ exitCode: made.exitCode, stdout: made.stdout }).toEqual({
      exitCode: 3,
      stdout: expect.stringMatching(/^● how_warm v1 {2}approval_required/),
    })
    const early = await host.call('how_warm', { city: 'Bern' })
    expect(early.exitCode).toBe(3)
    expect(service.requests).toEqual([])
  })

  test('the review says powers first, then steps, and what was tried with what the author made up', async () => {
    const { stdout } = await host.run('approvals', 'show', 'how_warm@1')
    const order = ['It may', 'It does', 'Checks', 'Tried', 'Source', 'The author says']
    const places = order.map((title) => stdout.indexOf(`\n${title}`) + stdout.indexOf(`┌ ${title}`))
    expect(places.toSorted((left, right) => left - right)).toEqual(places)
    const { port } = new URL(service.origin)
    expect(stdout).toMatch(new RegExp(`It may[^]*127.0.0.1[^]*${port}[^]*WEATHER_KEY[^]*It does`))
    expect(stdout).toMatch(/✔ \{"city":"Bern"\} → \{"celsius":7\} \(author\)/)
    expect(stdout).toMatch(/http\.request \{.*v1\/Bern.*: answered by the author's fixture/)
    expect(stdout).toMatch(/^ *\d+ │ export default async/m)
    expect(service.requests).toEqual([])
  })

  test('approved, it is called with the real secret, which stands nowhere else', async () => {
    const { stdout: shown } = await host.run('approvals', 'show', 'how_warm@1')
    const approved = await host.runWith(
      `${passphrase}\n`,
      'approvals',
      'approve',
      'how_warm@1',
      '--passphrase-stdin',
      '--hash',
      hashOf(shown),
    )
    expect(approved.stdout).toBe('✔ how_warm v1 is approved and in use.\n')
    const called = await host.call('how_warm', { city: 'Bern' })
    expect({ exitCode: called.exitCode, output: called.stdout }).toEqual({
      exitCode: 0,
      output: '{\n  "celsius": 21\n}\n',
    })
    expect(service.requests).toEqual([{ path: '/v1/Bern', key: service.key }])
    const record = await everythingOnRecord()
    expect(record).toContain('how_warm')
    expect(record).toContain('The service said')
    expect(record).not.toContain(service.key)
  })
})
