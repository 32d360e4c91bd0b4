// A host that runs a command until it is killed itself.
import { createShellTool } from '../src/shell.ts'
import { noContext } from './no-context.ts'

const [workspace = '', containment = 'best', seconds = '1'] = process.argv.slice(2)
const tool = createShellTool({ workspace, containment: containment as 'best' })
const input = { command: 'sh', args: ['-c', `setsid sleep ${seconds} & sleep ${seconds}`] }
await tool.execute(input, new AbortController().signal, noContext)
