import { describe, expect, it } from 'vitest'
import { checkSource } from '../src/checks/check-source.ts'
import { renderToolModule } from '../src/types/render-tool-module.ts'
import type { SourcePowers } from '../src/source/source-problem.ts'
import { parseSource } from '../src/source/source-tree.ts'
import { eraseTypes } from '../src/source/erase-types.ts'

const powers: SourcePowers = {
  form: 'function',
  capabilities: [],
  allowedPaths: [],
  allowedDomains: [],
  secrets: [],
  callees: [],
  modules: [],
}

/** What the author says about a tool, in the places where a template writes it. */
const inertTexts = [
  ['a backslash at the end (pr-purpose-backslash)', 'x\\'],
  ['a line separator that ends a comment (pr-purpose-linesep)', 'x\u2028process.exit(1)//'],
  ['the end of a comment', 'x */ process.exit(1) /*'],
  ['quotes and templates', 'x` + process.exit(1) + `" + process.exit(1) + "'],
  ['a new line', 'x\nprocess.exit(1)'],
] as const

/** Sources that deceive the person who reads the review. */
const deceivingSources = [
  [
    'terminal escapes (pr-review-ansi)',
    'export default () => 1; // \u001B[1A\u001B[2K',
    'hidden-characters',
  ],
  [
    'characters that turn the text (pr-review-bidi)',
    '/*\u202E*/ export default () => 1;',
    'hidden-characters',
  ],
  [
    'code after 5,000 spaces (pr-review-long-line)',
    `export default () => 1;${' '.repeat(5_000)}globalThis.x = 1;`,
    'size',
  ],
  ['an eight-bit terminal escape', 'export default () => 1; // \u009B2K', 'hidden-characters'],
  ['a backspace', 'export default () => 1; // \u0008\u0008', 'hidden-characters'],
] as const

describe('texts of an author', () => {
  for (const [what, text] of inertTexts)
    it(`stay inert in the source: ${what}`, async () => {
      const source = await renderToolModule({
        name: 'tool_x',
        description: text,
        inputSchema: { type: 'object', description: text, properties: { [text]: { const: text } } },
        body: 'return 1',
      })
      expect(parseSource(eraseTypes(source)).program.body).toHaveLength(1)
      expect(await checkSource(source, powers)).toEqual([])
    })
})

describe('a source that deceives a reviewer', () => {
  for (const [what, source, rule] of deceivingSources)
    it(`is refused: ${what}`, async () => {
      const found = (await checkSource(source, powers)).filter(
        ({ severity }) => severity === 'error',
      )
      expect(found.map((problem) => problem.rule)).toContain(rule)
    })
})
