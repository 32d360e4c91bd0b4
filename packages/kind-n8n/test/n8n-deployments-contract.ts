import { describe, expect, test } from 'vitest'
import type { N8nDeployment, N8nDeployments } from '../src/index.ts'

const hash = 'a'.repeat(64)

/** A deployment with every field. */
export const wholeDeployment: N8nDeployment = {
  toolName: 'add_two_numbers',
  baseUrl: 'http://127.0.0.1:5678',
  version: 2,
  contentHash: hash,
  function: {
    workflowId: 'Ab12',
    binding: {
      name: 'toolcrib/add_two_numbers',
      path: 'f00d',
      webhookId: 'beef',
      credential: { id: 'C1', name: 'toolcrib f00d', type: 'jwtAuth' },
    },
    secret: 'swordfish',
    versionId: 'v-2',
    hash,
  },
  progress: {
    binding: { name: 'n', path: 'p', webhookId: 'w' },
    secret: 's',
    credentialId: 'C2',
    workflowId: 'Cd34',
  },
  pending: { version: 3, contentHash: hash },
  isRetired: true,
  isUnwanted: true,
  versions: { [hash]: 'v-2' },
  leftBehind: 'workflow Ab12 (may still be live)',
  abandoned: 'workflow Zz on http://old',
}

const small: N8nDeployment = { toolName: 'say_hello', baseUrl: 'http://127.0.0.1:5678' }

/** What every store of deployments has to do. */
export function describeN8nDeployments(name: string, open: () => Promise<N8nDeployments>): void {
  describe(`deployments ${name}`, () => {
    test('gives back every field that was written', async () => {
      const deployments = await open()
      await deployments.write(wholeDeployment)
      expect(await deployments.read('add_two_numbers')).toEqual(wholeDeployment)
    })

    test('has nothing of a tool that was never written, or was removed, however often', async () => {
      const deployments = await open()
      expect(await deployments.read('say_hello')).toBeUndefined()
      await deployments.remove('say_hello')
      await deployments.write(small)
      await deployments.remove('say_hello')
      await deployments.remove('say_hello')
      expect(await deployments.read('say_hello')).toBeUndefined()
      expect(await deployments.list()).toEqual([])
    })

    test('replaces as a whole: a field that is left out is gone', async () => {
      const deployments = await open()
      await deployments.write(wholeDeployment)
      await deployments.write({ ...small, toolName: 'add_two_numbers' })
      expect(await deployments.read('add_two_numbers')).toEqual({
        ...small,
        toolName: 'add_two_numbers',
      })
    })

    test('lists all by name, and no broken ones', async () => {
      const deployments = await open()
      for (const toolName of ['zeta', 'alpha', 'mid'])
        await deployments.write({ ...small, toolName })
      expect((await deployments.list()).map(({ toolName }) => toolName)).toEqual([
        'alpha',
        'mid',
        'zeta',
      ])
      expect(await deployments.listBroken?.()).toEqual([])
    })

    test('keeps what was written, whatever its writer does to it later', async () => {
      const deployments = await open()
      const mine = structuredClone(small) as { baseUrl: string } & N8nDeployment
      await deployments.write(mine)
      mine.baseUrl = 'http://changed'
      const read = (await deployments.read('say_hello')) as { baseUrl: string }
      read.baseUrl = 'http://changed'
      expect(await deployments.read('say_hello')).toEqual(small)
    })

    test('keeps the last of many writes at once, and tools apart', async () => {
      const deployments = await open()
      await Promise.all(
        Array.from({ length: 20 }, async (_unused, index) => {
          await deployments.write({ ...small, version: index + 1 })
          await deployments.write({ ...small, toolName: `other_${index}`, version: index + 1 })
        }),
      )
      expect(await deployments.read('say_hello')).toMatchObject({ version: 20 })
      expect(await deployments.list()).toHaveLength(21)
    })

    test.each(['../evil', '', 'a/b', '.hidden', 'x'.repeat(65)])(
      'takes no name that is none of a tool: %j',
      async (toolName) => {
        const deployments = await open()
        await expect(deployments.write({ ...small, toolName })).rejects.toThrow(/toolName/)
        await expect(deployments.read(toolName)).rejects.toThrow(/toolName/)
        await expect(deployments.remove(toolName)).rejects.toThrow(/toolName/)
      },
    )

    test('refuses to keep what it could not read again', async () => {
      const deployments = await open()
      const wrong = { ...small, contentHash: 'short' }
      await expect(deployments.write(wrong)).rejects.toThrow(/contentHash|hexadecimal/)
      expect(await deployments.read('say_hello')).toBeUndefined()
    })
  })
}
