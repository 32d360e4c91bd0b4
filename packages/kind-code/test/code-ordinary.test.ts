import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import type { JsonSchema } from '@toolcrib/registry'
import { createTypeChecker } from '../src/index.ts'
import { checkSource } from '../src/checks/check-source.ts'

/** Tools as a model writes them, of which nothing may be refused. */
interface OrdinaryTool {
  readonly name: string
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly caps?: readonly string[]
  readonly domains?: readonly string[]
  readonly paths?: readonly string[]
  readonly secrets?: readonly string[]
  readonly callees?: readonly string[]
  readonly source: readonly string[]
}

const tools = JSON.parse(
  readFileSync(new URL('code-ordinary-tools.json', import.meta.url), 'utf8'),
) as readonly OrdinaryTool[]
const checker = createTypeChecker({ typescript: 'typescript-classic', timeoutMs: 60_000 })
const { signal } = new AbortController()
afterAll(() => checker.close())

describe('an ordinary tool passes the static check and the check of types', () => {
  for (const { inputSchema, name, outputSchema, ...tool } of tools)
    it(`as ${name} is`, async () => {
      const source = tool.source.join('\n')
      const problems = await checkSource(source, {
        form: 'function',
        capabilities: tool.caps ?? [],
        allowedPaths: tool.paths ?? [],
        allowedDomains: tool.domains ?? [],
        secrets: tool.secrets ?? [],
        callees: tool.callees ?? [],
        modules: [],
      })
      expect(problems).toEqual([])
      const spec = { inputSchema, outputSchema }
      const outcome = await checker.check({
        spec,
        definition: { source, form: 'function' },
        signal,
      })
      expect(outcome).toEqual({ problems: [] })
    })
})
