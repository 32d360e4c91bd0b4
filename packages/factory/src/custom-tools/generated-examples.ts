import type { JsonSchema } from '@toolcrib/registry'
import type { Sandbox, SandboxModule } from '@toolcrib/sandbox'
import type { ToolExample } from '@toolcrib/toolsmaker'
import { generateInputs } from '@toolcrib/kind-compute'

/** Where generated inputs are tried. */
export interface GeneratedExamplesOptions {
  readonly sandbox: Sandbox
  /** On whose behalf; see `trialOf` of the sandbox. */
  readonly trialOf: string
  readonly signal?: AbortSignal | undefined
}

/** Generated examples, or why there are none. */
export type GeneratedExamples =
  | { readonly examples: readonly ToolExample[]; readonly problem?: undefined }
  | { readonly problem: string; readonly examples?: undefined }

const mostExamples = 3
const note = 'Made from the input schema, not by the author: it shows only that the tool runs.'

/**
 * Makes examples for a tool whose author wrote none: inputs from its schema, of which up to three are kept that give a value in
 * the sandbox without any power. What comes out is not promised.
 */
export async function generateExamples(
  module: SandboxModule,
  schema: JsonSchema,
  { sandbox, signal, trialOf }: GeneratedExamplesOptions,
): Promise<GeneratedExamples> {
  const waiting = { trialOf, ...(signal === undefined ? {} : { signal }) }
  const inputs = await generateInputs(schema)
  if (inputs.length === 0) return { problem: 'no input could be made from its input schema' }
  const loaded = await sandbox.load(module, waiting)
  signal?.throwIfAborted()
  if (!loaded.ok) return { problem: loaded.message }
  const examples: ToolExample[] = []
  let problem = ''
  for (const input of inputs) {
    // oxlint-disable-next-line no-await-in-loop -- stops as soon as there are enough
    const outcome = await sandbox.call(loaded.hash, JSON.stringify(input), {
      timeoutMs: 5_000,
      maxHostCalls: 0,
      ...waiting,
    })
    signal?.throwIfAborted()
    if (outcome.ok) examples.push({ input, note })
    else
      problem ||= `with ${JSON.stringify(input).slice(0, 200)} it gave: ${outcome.message.slice(0, 500)}`
    if (examples.length === mostExamples) break
  }
  return examples.length > 0 ? { examples } : { problem }
}
