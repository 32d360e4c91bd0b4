import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolPolicy } from '@toolcrib/policy'
import { type SecretVault, openSecretVault } from '@toolcrib/policy/secrets'
import { type CodePowers, type CodePowersOptions, createCodePowers } from '../src/index.ts'

/** A server on loopback that passes for every name that ends in `.test`, and a workspace with a file outside of it. */
export interface CodeWorld {
  readonly base: string
  readonly workspace: string
  readonly port: number
  /** Requests that arrived, such as `GET api.test /path`. */
  readonly seen: string[]
  readonly seenHeaders: IncomingMessage['headers'][]
  answer: (request: IncomingMessage, response: ServerResponse) => void
  readonly vault: SecretVault
  origin(name: string): string
  /** What the operator allows, as the powers of this world have it. */
  readonly maximumPolicy: ToolPolicy
  powers(options?: Partial<CodePowersOptions>): CodePowers
  close(): Promise<void>
}

export const secretValue = 'swordfish-3141'
export const canary = 'CANARY-7f3a9'

export async function openCodeWorld(): Promise<CodeWorld> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'code-kind-')))
  const workspace = join(base, 'workspace')
  mkdirSync(join(workspace, 'data'), { recursive: true })
  mkdirSync(join(workspace, 'host'))
  writeFileSync(join(base, 'outside.txt'), canary)
  writeFileSync(join(workspace, 'data', 'a.txt'), 'content of a')
  writeFileSync(join(workspace, 'host', 'key.txt'), canary)
  const opened: CodePowers[] = []
  const server = createServer((request, response) => {
    const name = (request.headers.host ?? '').replace(/:\d+$/, '')
    world.seen.push(`${request.method} ${name} ${request.url}`)
    world.seenHeaders.push(request.headers)
    world.answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const vault = openSecretVault(
    {
      API_TOKEN: { value: secretValue, hosts: [`http://api.test:${port}`] },
      OTHER_TOKEN: { value: 'another-secret-value', hosts: [`http://api.test:${port}`] },
    },
    {},
  )
  const world: CodeWorld = {
    base,
    workspace,
    port,
    seen: [],
    seenHeaders: [],
    answer: (_request, response) => response.end('hello'),
    vault,
    origin: (name) => `http://${name}:${port}`,
    maximumPolicy: {
      fs_read: { paths: [workspace] },
      fs_write: { paths: [workspace] },
      http: { origins: ['http://*:*', 'https://*:*'], privateAddresses: ['127.0.0.1'] },
      secrets: { names: ['API_TOKEN', 'OTHER_TOKEN'] },
    },
    powers(options = {}) {
      const powers = createCodePowers({
        workspace,
        vault,
        maximumPolicy: world.maximumPolicy,
        deniedPaths: [join(workspace, 'host')],
        http: { lookup: async () => [{ address: '127.0.0.1', family: 4 }] },
        ...options,
      })
      opened.push(powers)
      return powers
    },
    async close() {
      for (const powers of opened) powers.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(base, { recursive: true, force: true })
    },
  }
  return world
}
