import { z } from 'zod'

/** What the example tool takes. */
export type ExampleInput = z.output<typeof inputSchema>

/** The input of the tool that all frameworks call. */
export const inputSchema = z.object({ id: z.string(), weight: z.number(), express: z.boolean() })

/** The same for all frameworks. Short, because some keep what belongs to a call until its time is up. */
export const timeoutMs = 1_000

// Taken in turns.
const inputs: readonly ExampleInput[] = Array.from({ length: 64 }, (_, index) => ({
  id: `order-${index}`,
  weight: index * 0.5,
  express: index % 2 === 0,
}))

const inputTexts: readonly string[] = inputs.map((input) => JSON.stringify(input))

/** One of the inputs. */
export function inputAt(index: number): ExampleInput {
  return inputs[index % inputs.length] ?? { id: 'none', weight: 0, express: false }
}

/** One of the inputs as a model writes it. */
export function inputTextAt(index: number): string {
  return inputTexts[index % inputTexts.length] ?? '{}'
}

/** The work of the tool: next to none. */
export async function execute({ id, weight }: ExampleInput): Promise<unknown> {
  return { id, total: weight * 2.5, ok: true }
}
