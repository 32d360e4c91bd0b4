import { expect, it } from 'vitest'
import { createPgliteCallLog } from '@toolcrib/call-log/pglite'
import { makeCompletion, makeStart } from '../test/sample-calls.ts'

// Both speak to one session, which has one nameless portal: what comes in between would run in the other's place, so
// that a row is lost and a reader gets what a writer asked for. A large text is written right after the small ones.
it('reads while rows are written without mixing them up', async () => {
  const log = await createPgliteCallLog()
  await log.query()
  const outputText = `"${'x'.repeat(300_000)}"`
  const starts = Array.from({ length: 40 }, () => makeStart())
  await Promise.all(starts.map((start) => log.logToolStart(start)))
  await Promise.all(
    starts.map(async (start, at) => {
      const isLarge = at % 4 === 0
      await log.logToolComplete(makeCompletion(start, isLarge ? { outputText } : {}))
      expect(await log.get(start.callId)).toMatchObject({ status: 'completed' })
      expect(await log.readOutput(start.callId)).toBe(isLarge ? outputText : '31.5')
    }),
  )
  expect((await log.query({ status: 'completed' })).calls).toHaveLength(40)
  await log.close()
})
