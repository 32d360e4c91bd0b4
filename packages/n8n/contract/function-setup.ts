import { afterEach, expect } from 'vitest'
import {
  type DeployOptions,
  type N8nClient,
  type N8nFunction,
  type N8nWorkflow,
  createN8nClient,
  deployFunction,
  retireFunction,
} from '../src/index.ts'
import { readRealServer } from './real-server.ts'

export const server: ReturnType<typeof readRealServer> = readRealServer()
export const client: N8nClient = createN8nClient({
  baseUrl: server.baseUrl,
  apiKey: server.apiKey,
})
const deployed = new Map<string, N8nFunction>()

/** Deploys, and retires after the test. */
export async function deploy(workflow: N8nWorkflow, options?: DeployOptions): Promise<N8nFunction> {
  return keep(await deployFunction(client, workflow, options))
}

/** The newest state of a function, so that it is this one that is retired. */
export function keep(fn: N8nFunction): N8nFunction {
  deployed.set(fn.workflowId, fn)
  return fn
}

export function retireAllAfterEach(): void {
  afterEach(async () => {
    const outcomes = await Promise.all(
      [...deployed.values()].map((fn) => retireFunction(client, fn)),
    )
    deployed.clear()
    for (const outcome of outcomes) expect(outcome).toEqual({ removed: true, left: [] })
  })
}

/** What of a name is on the server: workflows, and credentials where they can be listed. */
export async function listLeft(name: string, credentials: readonly string[]): Promise<string[]> {
  const left: string[] = []
  for await (const workflow of client.workflows.list({ name })) left.push(`workflow ${workflow.id}`)
  if (server.major === 2)
    for await (const credential of client.credentials.list())
      if (credentials.includes(credential.name)) left.push(`credential ${credential.id}`)
  return left
}
