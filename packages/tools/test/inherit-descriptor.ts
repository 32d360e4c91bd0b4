// A host that was started with a descriptor of somebody else, far from its own ones. Prints what a command sees.
import { createShellTool } from '../src/shell.ts'
import { noContext } from './no-context.ts'

const [workspace = '', containment = 'best'] = process.argv.slice(2)
const tool = createShellTool({ workspace, containment: containment as 'best' })
const input = { command: 'sh', args: ['-c', 'ls -l /proc/self/fd; cat <&200'] }
const output = await tool.execute(input, new AbortController().signal, noContext)
process.stdout.write(JSON.stringify(output))
