/** The smallest thing that is of use: a tool with typed input, called through the one path that never throws. */
import assert from 'node:assert/strict'
import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import { createInvoker } from '@toolcrib/invoke'
import { ToolRegistry, defineTool } from '@toolcrib/registry'
import { z } from 'zod'

const registry = new ToolRegistry()
registry.register(
  defineTool({
    name: 'word_count',
    description: 'Counts the words of a text',
    inputSchema: z.object({ text: z.string() }),
    outputSchema: z.object({ words: z.number() }),
    execute: ({ text }) => ({ words: text.split(/\s+/).filter(Boolean).length }),
  }),
)

const log = createMemoryCallLog()
const invoker = createInvoker({ registry, log })

const good = await invoker.invoke('word_count', { text: 'a tool crib keeps tools' })
assert(good.success && !good.truncated)
assert.deepEqual(good.output, { words: 5 })

const bad = await invoker.invoke('word_count', { text: 5 })
assert(!bad.success)
assert.equal(bad.errorCode, 'INPUT_INVALID')

const missing = await invoker.invoke('word_cuont', {})
assert(!missing.success)
assert.match(missing.error, /word_count/, 'a misspelt name is answered with the right one')

console.log('5 words counted; a bad input and a misspelt name were answered, not thrown')
