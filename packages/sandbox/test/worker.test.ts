import { describe } from 'vitest'
import { describeContract } from './contract.ts'
import { describeLimits } from './limits.ts'

describe('in worker threads', () => {
  describeContract('worker')
  describeLimits('worker')
})
