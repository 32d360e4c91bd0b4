import { readFileSync } from 'node:fs'
import { computeLanguageCard } from '@toolcrib/compute/schema'
import { viewTool } from '@toolcrib/registry'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { createFactoryTools } from '../index.ts'
import { logicDescription, logicShape } from './logic-shape.ts'

test('the tool takes at most 2,000 tokens of a prompt, as many as the README says', () => {
  const [tool] = createFactoryTools({ toolsmaker: {} as never })
  const view = tool === undefined ? undefined : viewTool(tool)
  if (view === undefined || view.problem !== undefined) throw new Error('the tool cannot be shown')
  const { name, description, input } = view
  const text = JSON.stringify({ name, description, input_schema: input.schema })
  const tokens = encode(text).length
  expect(tokens).toBeLessThanOrEqual(2_000)
  expect(text).toContain('exists_one')
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`it has ${tokens.toLocaleString('en-US')} tokens`)
})

test('the description holds the sections of the language card that are needed to begin', () => {
  const headings = computeLanguageCard.match(/^## \w+/gm) ?? []
  expect(headings.filter((heading) => logicDescription.includes(heading))).toEqual([
    '## Steps',
    '## Expressions',
    '## Templates',
    '## Mistakes',
  ])
})

test('the shape names every operation once and every field of every operation', () => {
  expect(logicShape).toMatchObject({
    required: ['steps'],
    additionalProperties: true,
    properties: {
      numbers: { enum: ['float', 'decimal'] },
      rounding: { enum: ['half_up', 'half_even'] },
      steps: {
        items: {
          required: ['op'],
          properties: {
            op: {
              enum: [
                'math',
                'set',
                'lookup',
                'format',
                'condition',
                'switch',
                'fold',
                'sort',
                'check',
                'return',
              ],
            },
            keyFrom: { type: 'string' },
            default: {},
            desc: { type: 'boolean' },
            cases: { type: 'array', items: { type: 'object' } },
            then: { type: 'array', items: { type: 'object' } },
            fields: { type: 'object' },
          },
        },
      },
    },
  })
  expect(JSON.stringify(logicShape)).not.toContain('$ref')
})
