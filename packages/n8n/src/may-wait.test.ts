import { describe, expect, it } from 'vitest'
import { node, respondingWorkflow, workflowOf } from '../test/function-workflows.ts'
import { waitingOf } from './may-wait.ts'

const wait = (parameters: Parameters<typeof node>[2]): ReturnType<typeof node> =>
  node('Pause', 'wait@1.1', parameters)

describe('waitingOf', () => {
  it.each([
    ['a minute', wait({ amount: 1, unit: 'minutes' }), false],
    ['64.9 seconds', wait({ amount: 64.9, unit: 'seconds' }), false],
    ['65 seconds', wait({ amount: 65, unit: 'seconds' }), true],
    ['a time that is told in the run', wait({ amount: '={{ 1 }}', unit: 'seconds' }), true],
    ['a set time', wait({ resume: 'specificTime', amount: 1, unit: 'seconds' }), true],
    ['a call', wait({ resume: 'webhook' }), true],
    ['a reply', node('Ask', 'slack@2.3', { operation: 'sendAndWait' }), true],
    ['a reply that an agent asks for', node('Ask', 'slackHitlTool@2.3', {}), true],
    ['a job of GitHub', node('Build', 'github@1.1', { operation: 'dispatchAndWait' }), true],
    ['another workflow', node('Run', 'executeWorkflow@1.2', {}), true],
    ['nothing: it is switched off', { ...wait({ resume: 'webhook' }), disabled: true }, false],
    ['nothing', node('Tell', 'slack@2.3', { operation: 'post' }), false],
  ])('knows whether a run may stop to wait for %s', (_what, step, mayWait) => {
    expect(waitingOf(workflowOf([step]))).toEqual(mayWait ? { mayWait: true } : {})
  })

  it('is of no concern where a Respond node gives the answer', () => {
    expect(waitingOf(respondingWorkflow([wait({ resume: 'webhook' })]))).toEqual({})
  })
})
