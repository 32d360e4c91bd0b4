// A host that has a few descriptors left, and then enough again. Prints what came of a call each time.
import { closeSync, openSync } from 'node:fs'
import { createShellTool } from '../src/shell.ts'
import { noContext } from './no-context.ts'

const [workspace = '', containment = 'best'] = process.argv.slice(2)
const tool = createShellTool({ workspace, containment: containment as 'best' })
const call = async (): Promise<unknown> => {
  try {
    return await tool.execute({ command: 'true' }, new AbortController().signal, noContext)
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return { code, message }
  }
}

await call()
const held: number[] = []
try {
  for (;;) held.push(openSync('/dev/null', 'r'))
} catch {
  // There are no more.
}
const outcomes: unknown[] = []
for (let free = 0; free < 12; free += 1) {
  outcomes.push(await call())
  closeSync(held.pop() ?? -1)
}
for (const descriptor of held) closeSync(descriptor)
outcomes.push(await call())
process.stdout.write(JSON.stringify(outcomes))
