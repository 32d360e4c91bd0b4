import { createBuildRequestFromIntent, type ToolBuildRequest } from '@toolcrib/toolsmaker'
import { describe, expect, test } from 'vitest'
import { adderIntent, agent, openWorkshop, otherAgent } from './bench-of-tests.ts'

const written = (name: string): ToolBuildRequest =>
  createBuildRequestFromIntent(adderIntent({ name }))

describe('a request that is written when its turn has come', () => {
  test('becomes the same version as one that was there already', async () => {
    const { maker } = await openWorkshop()
    const write = async (): Promise<ToolBuildRequest> => written('plus_one')
    const request = { name: 'plus_one', write }
    const first = await maker.buildTool(request, { principal: agent })
    expect(first).toMatchObject({ existing: false, spec: { name: 'plus_one', version: 1 } })
    const again = await maker.forAgent(agent).buildTool(request)
    expect(again).toMatchObject({ existing: true, spec: { version: 1 } })
    expect(await maker.buildTool(written('plus_one'), { principal: agent })).toMatchObject({
      existing: true,
      spec: { contentHash: first.spec.contentHash },
    })
  })

  test('is checked as any other', async () => {
    const { maker } = await openWorkshop()
    const surface = maker.forAgent(agent)
    const wrong = { ...written('plus_one'), risk: 'none' } as unknown as ToolBuildRequest
    await expect(
      surface.buildTool({ name: 'plus_one', write: async () => wrong }),
    ).rejects.toMatchObject({ code: 'REQUEST_INVALID' })
    await surface.buildTool(written('plus_two'))
    await expect(
      maker
        .forAgent(otherAgent)
        .buildTool({ name: 'plus_one', write: async () => written('plus_two') }),
    ).rejects.toMatchObject({ code: 'TOOL_NOT_OWNED' })
    const failed = new Error('it cannot be read')
    await expect(
      surface.buildTool({ name: 'plus_one', write: () => Promise.reject(failed) }),
    ).rejects.toBe(failed)
  })

  test('is not written where a quota is used up, and counts where it was', async () => {
    const { maker } = await openWorkshop({ policy: { ownerLimits: { proposalsPerMinute: 2 } } })
    const surface = maker.forAgent(agent)
    let count = 0
    const request = {
      name: 'plus_one',
      write: async (): Promise<ToolBuildRequest> => {
        count += 1
        throw new Error('it cannot be read')
      },
    }
    for (const _ of [1, 2])
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expect(surface.buildTool(request)).rejects.toThrow('it cannot be read')
    await expect(surface.buildTool(request)).rejects.toMatchObject({
      code: 'OWNER_QUOTA_EXCEEDED',
      data: { quota: 'proposalsPerMinute', used: 2 },
    })
    expect(count).toBe(2)
  })

  test('is not written where those before it have used up the room', async () => {
    const { maker } = await openWorkshop({ policy: { rules: [], ownerLimits: { pending: 1 } } })
    const names: string[] = []
    const outcomes = await Promise.allSettled(
      ['plus_one', 'plus_two', 'plus_ten'].map((name) =>
        maker.buildTool(
          {
            name,
            write: async () => {
              names.push(name)
              return written(name)
            },
          },
          { principal: agent },
        ),
      ),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(names).toEqual(['plus_one'])
  })
})
