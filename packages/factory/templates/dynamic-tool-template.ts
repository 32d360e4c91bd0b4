// A tool of one file. Copy it to tools/dynamic/agent_{agentId}_{toolName}.ts, such as agent_ada_count_words.ts, and change it.
// It runs in a sandbox: only "ai" and "zod" can be imported, and types from anywhere. A person reviews it before it can be called.
import { tool } from 'ai'
import { z } from 'zod'

/** What the tool gets. A model sees the descriptions. */
const inputSchema = z.object({
  text: z.string().describe('The text to look at.'),
  minLength: z.int().min(1).default(1).describe('Words with fewer letters are not counted.'),
})

/** What it needs beyond computing, and examples that are run before a person decides. Leave out what does not apply. */
export const toolcrib = {
  // capabilities: ['http'],
  // allowedDomains: ['api.example.com'],
  examples: [
    { input: { text: 'to be or not to be' }, expected: { words: 6 } },
    { input: { text: 'a longer word', minLength: 2 }, expected: { words: 2 } },
  ],
}

/** Makes the tool. `context` has `agentId`, `log(level, text)` and, where asked for, `http`, `fs`, `secrets` and `tools`. */
export default function createTool(context: { log(level: 'info', message: string): void }) {
  const counter = tool({
    description: 'Counts the words of a text, as far as they are long enough.',
    inputSchema,
    execute: async ({ text, minLength }: z.infer<typeof inputSchema>) => {
      const words = text.split(/\s+/).filter((word) => word.length >= minLength)
      context.log('info', `${words.length} words`)
      return { words: words.length }
    },
  })
  // One line about a call, for people. Only values of the input can stand in it.
  return Object.assign(counter, {
    getHumanReadableContent: (input: z.infer<typeof inputSchema>) =>
      `Counting words of: ${input.text}`,
  })
}
