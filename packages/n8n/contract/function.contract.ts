import { describe, expect, it } from 'vitest'
import { executeWorkflow, retireFunction, updateFunction } from '../src/index.ts'
import { addition, numbered } from '../test/function-workflows.ts'
import { client, deploy, keep, retireAllAfterEach, server } from './function-setup.ts'

retireAllAfterEach()

describe(`a workflow as a function on n8n ${server.version}`, () => {
  it('is deployed, called, and gone after it was retired', async () => {
    const fn = await deploy(addition)
    expect(await executeWorkflow(client, fn, { a: 2, b: 3 })).toMatchObject({
      ok: true,
      result: { sum: 5 },
    })
    expect(await retireFunction(client, fn)).toEqual({ removed: true, left: [] })
    expect(await executeWorkflow(client, fn, { a: 2, b: 3 })).toMatchObject({
      ok: false,
      error: { code: 'N8N_NOT_CALLABLE' },
    })
    await expect(client.workflows.get(fn.workflowId)).rejects.toMatchObject({
      code: 'N8N_NOT_FOUND',
    })
  })

  it('never gives an answer of the old version once an update is done, 20 times in a row', async () => {
    let fn = await deploy(numbered(0))
    for (let version = 1; version <= 20; version += 1) {
      fn = keep(await updateFunction(client, fn, numbered(version)))
      expect(await executeWorkflow(client, fn, {})).toMatchObject({ ok: true, result: { version } })
    }
  })
})
