import { describeCallLog } from '../test/call-log-contract.ts'
import { createPgliteCallLog } from './pglite.ts'

describeCallLog({ name: 'PGlite', open: (options) => createPgliteCallLog(options) })
