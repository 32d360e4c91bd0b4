import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listPackageEntries, repositoryFolder } from './package-entries.ts'

type Creator = (...parameters: never[]) => unknown
type Module = Readonly<Record<string, unknown>>

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-options-'))

/** What stands before the options of a creator, for those that take something else first. */
const before: Readonly<Record<string, readonly unknown[]>> = {
  compileCompute: [{ steps: [] }],
  checkCompute: [{ steps: [] }],
  createAgentDatabase: [],
  createApprover: [folder],
  createBuildRequestFromIntent: [{}],
  createBuiltInTools: [undefined],
  createCookieJarFolder: [folder],
  createDefaultRegistry: [undefined],
  createServerCatalogue: [{}],
  createSqlTool: [{ run: () => undefined, close: () => undefined }],
  deleteCustomTool: ['a'],
  loadCustomTools: [{}],
  lockFolder: [join(folder, 'lock')],
  openCookieJarFile: [join(folder, 'jar')],
  openSecretVault: [{}],
  openTrustDirectory: [join(folder, 'trust')],
  resolveTools: [[]],
  saveCustomTool: [{}],
  traceCompute: [{ steps: [] }, {}],
  unlockSigner: [folder],
  withTimeout: [() => 1, 1],
  createFailingTool: [new Error('x')],
}

/** Creators without options. */
const withoutOptions: ReadonlySet<string> = new Set([
  'createCallId',
  'createCallLogTables',
  'createCallerGuards',
  'createFileCallerGuards',
  'createFileN8nDeployments',
  'createMemoryN8nDeployments',
  'createSigner',
  // Makes a double of a tool: what it takes is a definition.
  'createEchoTool',
  'createFailingTool',
  'createHangingTool',
  'createUnreliableCallLog',
  // Take a client and are checked by it.
  'createWorkflow',
  'deleteWorkflow',
])

const isCreator =
  /^(?:compile|create|delete|load|lock|migrate|open|resolve|save|trace|unlock|with)[A-Z]?/

async function thrownBy(create: Creator, parameters: readonly unknown[]): Promise<unknown> {
  try {
    await create(...(parameters as never[]))
    return undefined
  } catch (error) {
    return error
  }
}

for (const entry of listPackageEntries())
  test(`no creator of ${entry.slice(repositoryFolder.length)} passes over an option that it does not know`, async () => {
    const module = (await import(entry)) as Module
    const creators = Object.entries(module).filter(
      ([name, value]) =>
        isCreator.test(name) && typeof value === 'function' && !withoutOptions.has(name),
    )
    for (const [name, create] of creators) {
      const parameters = [...(before[name] ?? []), { polcy: 1 }]
      // oxlint-disable-next-line no-await-in-loop -- one after the other, so that a failure names its creator
      const error = await thrownBy(create as Creator, parameters)
      expect
        .soft(error, name)
        .toMatchObject({ message: expect.stringMatching(/polcy|no such option/) })
    }
  })
