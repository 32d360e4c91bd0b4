import type { JsonSchema } from '@toolcrib/registry'
import type { ToolCapability } from '@toolcrib/toolsmaker'
import { generateInputs } from '@toolcrib/kind-compute'

const fixtures: Readonly<Record<ToolCapability, object>> = {
  http: { operation: 'http.request', result: { status: 200, headers: {}, text: '{"ok":true}' } },
  fs_read: { operation: 'fs.readText', result: { text: 'What the file would hold', bytes: 24 } },
  fs_write: { operation: 'fs.writeText' },
  secrets: { operation: 'secrets.ref', result: '{{NAME}}' },
  tools: { operation: 'tools.call', result: { any: 'output' } },
}

/** Why an example is needed, and one that its author has only to complete. */
export async function exampleHint(
  inputSchema: JsonSchema,
  capabilities: readonly ToolCapability[],
): Promise<string> {
  const inputs = await generateInputs(inputSchema, { maxInputs: 3, maxInputLength: 400 })
  const example = {
    input: inputs.at(-1) ?? {},
    expected: 'what it must give for this input',
    ...(capabilities.some((capability) => capability !== 'secrets')
      ? {
          fixtures: capabilities
            .filter((capability) => capability !== 'secrets')
            .map((capability) => fixtures[capability]),
        }
      : {}),
  }
  const simulated =
    example.fixtures === undefined
      ? ''
      : ' Nothing outside is asked before a person approves: fixtures say what the host would answer.'
  return `Nothing was proposed: code needs at least one example, which is run in the sandbox and shown to the person who decides. Add for example "examples": [${JSON.stringify(example)}], with your own values.${simulated} Leave "expected" out where the result varies.`
}
