import { type Socket, connect, createServer } from 'node:net'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { resolveDataFolder } from '../src/host/data-folder.ts'
import { openHost } from '../src/host/open-host.ts'
import { serveHost } from '../src/host/serve-host.ts'
import { runCommand } from './command-in-process.ts'
import { makeTemporaryFolder } from './run-toolcrib.ts'

let folder: ReturnType<typeof makeTemporaryFolder>
let data: string

beforeEach(() => {
  folder = makeTemporaryFolder()
  data = join(folder.path, 'data')
})
afterEach(() => folder.remove())

test('clients that connect and ask nothing do not keep a host from shutting down', async () => {
  const host = await serveHost({ data, environment: {}, drainMs: 5_000 })
  const clients = [
    '',
    'POST /health HTTP/1.1\r\nHost: x\r\n',
    'POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{}',
  ].map((text) => {
    const client = connect(host.folder.socket)
    client.on('error', () => undefined)
    client.write(text)
    return client
  })
  await Promise.all(clients.map((client) => new Promise((done) => client.once('ready', done))))
  await expect(openHost({ data, environment: {} }).then((remote) => remote.isRemote)).resolves.toBe(
    true,
  )
  const before = performance.now()
  await host.close()
  expect(performance.now() - before).toBeLessThan(30_000)
})

test('a host that accepts and never answers is reported as busy, in bounded time', async () => {
  mkdirSync(data, { recursive: true })
  const { socket } = resolveDataFolder({ data, environment: {} })
  const held = new Set<Socket>()
  const mute = createServer((client) => held.add(client))
  await new Promise<void>((done) => mute.listen(socket, done))
  await expect(openHost({ data, environment: {}, settleMs: 200 })).rejects.toMatchObject({
    code: 'HOST_BUSY',
  })
  const controller = new AbortController()
  const waiting = openHost({ data, environment: {}, signal: controller.signal })
  controller.abort(new Error('Ctrl-C'))
  await expect(waiting).rejects.toThrow('Ctrl-C')
  for (const client of held) client.destroy()
  await new Promise((done) => mute.close(done))
})

test('a command that believes another trust folder than the running host is refused', async () => {
  const host = await serveHost({ data, environment: {} })
  await expect(
    openHost({ data, environment: {}, trust: join(folder.path, 'other-trust') }),
  ).rejects.toMatchObject({ code: 'HOST_DIFFERS' })
  await host.close()
})

test('a namespace cannot lead out of the store', async () => {
  await expect(serveHost({ data, environment: {}, namespace: '../..' })).rejects.toMatchObject({
    code: 'USAGE',
  })
})

test('printed commands carry the data folder, quoted for the shell', async () => {
  const place = join(folder.path, "Ada's data")
  const { stdout } = await runCommand(folder.path, ['start', '--once', '--data', place])
  expect(stdout).toContain(
    `toolcrib --data '${folder.path}/Ada'\\''s data' approvals approve shipping_cost@2`,
  )
})

test('an empty DATABASE_URL means none, an empty data folder and a wrong address are usage errors', async () => {
  const embedded = await runCommand(folder.path, ['tools', 'list'], {
    environment: { DATABASE_URL: '' },
  })
  expect(embedded.exitCode).toBe(0)
  expect((await runCommand(folder.path, ['tools', 'list', '--data', ''])).exitCode).toBe(2)
  const wrong = await runCommand(folder.path, [
    'tools',
    'list',
    '--data',
    data,
    '--database-url',
    'not:secret@x',
  ])
  expect(wrong.exitCode).toBe(2)
  expect(wrong.stderr).not.toContain('secret')
})

test('no error can act on the terminal, and with --json even a misuse is an envelope', async () => {
  const intent = JSON.stringify({
    '\u001b[31mfield': 1,
    name: 'some_name',
    purpose: 'x',
    definition: {},
  })
  const escape = await runCommand(folder.path, ['make', '-'], { input: intent })
  expect(escape.exitCode).not.toBe(0)
  expect(escape.stderr).not.toContain('\u001b')
  expect(escape.stderr).toContain(String.raw`\u{1b}`)
  expect((await runCommand(folder.path, ['\u001b[31mfly'])).stderr).not.toContain('\u001b')
  const misuse = await runCommand(folder.path, ['tools', 'list', '--colour', '--json'])
  expect(misuse.exitCode).toBe(2)
  expect(JSON.parse(misuse.stdout)).toMatchObject({ ok: false, error: { code: 'USAGE' } })
})
