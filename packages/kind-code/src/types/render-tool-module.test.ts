import { describe, expect, it } from 'vitest'
import { checkSource } from '../checks/check-source.ts'
import { type ToolModuleParts, problemInBody, renderToolModule } from './render-tool-module.ts'
import type { SourcePowers } from '../source/source-problem.ts'
import { parseSource } from '../source/source-tree.ts'
import { eraseTypes } from '../source/erase-types.ts'
import { SourceSyntaxError } from '../source/source-syntax-error.ts'

const parts: ToolModuleParts = {
  name: 'greet',
  description: 'Greets somebody.',
  inputSchema: {
    type: 'object',
    properties: { who: { type: 'string' }, times: { type: 'integer' } },
    required: ['who'],
  },
  outputSchema: { type: 'string' },
  body: 'return `Hello ${input.who}`.repeat(input.times ?? 1)',
}
const powers: SourcePowers = {
  form: 'function',
  capabilities: [],
  allowedPaths: [],
  allowedDomains: [],
  secrets: [],
  callees: [],
  modules: [],
}

describe('the module of a tool', () => {
  it('is rendered from its parts', async () => {
    expect(await renderToolModule(parts)).toBe(
      [
        '// | greet',
        '// | Greets somebody.',
        '',
        'type Input = { readonly times?: number; readonly who: string }',
        '',
        'type Output = string',
        '',
        'export default async function execute(input: Input, ctx: ToolContext): Promise<Output> {',
        'return `Hello ${input.who}`.repeat(input.times ?? 1)',
        '}',
        '',
      ].join('\n'),
    )
  })

  it('has the same bytes whatever the order of the properties', async () => {
    const { body, description, inputSchema, name, outputSchema = {} } = parts
    const turned: ToolModuleParts = {
      body,
      outputSchema,
      inputSchema: {
        required: ['who'],
        properties: { times: { type: 'integer' }, who: { type: 'string' } },
        type: inputSchema['type'] ?? 'object',
      },
      description,
      name,
    }
    expect(await renderToolModule(turned)).toBe(await renderToolModule(parts))
  })

  it('keeps name and description inert, whatever stands in them', async () => {
    const attacks = [
      'x\\',
      'x\u2028process.exit(1)//',
      'x\u2029process.exit(1)//',
      'x\nprocess.exit(1)',
      'x\rprocess.exit(1)',
      'x\r\nprocess.exit(1)',
      '*/ process.exit(1) /*',
      '`${process.exit(1)}`',
      '</script><!-- process.exit(1)',
      '@ts-nocheck',
      '/ <reference path="/etc/passwd" />',
      '# sourceMappingURL=file:///etc/passwd',
      'x\u0000\u0085process.exit(1)',
      '\u202E)1(tixe.ssecorp',
      'x\u{E0049}y\u200B',
      `${'long '.repeat(2_000)}\n${'x'.repeat(5_000)}`,
      '\n'.repeat(500),
    ]
    for (const text of attacks)
      for (const attacked of [
        { ...parts, description: text },
        { ...parts, name: text },
      ]) {
        const source = await renderToolModule(attacked)
        const { program } = parseSource(eraseTypes(source))
        expect(
          program.body.map(({ type }) => type),
          text,
        ).toEqual(['ExportDefaultDeclaration'])
        expect(await checkSource(source, powers), text).toEqual([])
        expect(source).not.toMatch(/^\s*\/\/+\s*[@#/]/m)
      }
  })

  it('keeps names and texts of schemas inert', async () => {
    const odd = [
      '*/',
      '"',
      '\\',
      '`',
      '\n',
      '\u2028',
      '${x}',
      '__proto__',
      'constructor',
      "'",
      '{};|',
      '\u202E',
      'a b',
      '',
    ]
    const properties = Object.fromEntries(odd.map((name) => [name, { const: name }]))
    // As JSON text has it: a property of that name.
    const inputSchema = JSON.parse(
      JSON.stringify({ type: 'object', properties }).replace(
        '"a b":',
        '"__proto__":{"type":"string"},"a b":',
      ),
    ) as ToolModuleParts['inputSchema']
    const source = await renderToolModule({ ...parts, inputSchema })
    expect(parseSource(eraseTypes(source)).program.body).toHaveLength(1)
    expect(await checkSource(source, powers)).toEqual([])
  })

  it('has no line that hides something, however large the schema is', async () => {
    const values = Array.from({ length: 190 }, (_, index) => `value number ${index}`)
    const inputSchema = {
      type: 'object',
      properties: { one: { enum: values }, ['n'.repeat(600)]: {} },
    }
    const small = { type: 'object', properties: { one: { enum: values } } }
    for (const schema of [inputSchema, small])
      expect(
        await checkSource(
          await renderToolModule({ ...parts, inputSchema: schema, body: 'return ""' }),
          powers,
        ),
      ).toEqual([])
  })

  it('refuses a body that ends its function by itself', async () => {
    for (const [body, line] of [
      ['return 1 } export const x = 1; {', 1],
      ['return 1\n} interface Y { a: 1', 2],
      ['return 1\n}\nfunction q() {', 2],
      ['return 1\n}\neval("x")\n{', 2],
      ['} + function () {', 1],
      ['return 1 }; class A { static {} ', 1],
      ['/* */ return 1 } type A = {', 1],
    ] as const) {
      const attempt = (): Promise<string> => renderToolModule({ ...parts, body })
      await expect(attempt(), body).rejects.toThrow(SourceSyntaxError)
      await expect(attempt(), body).rejects.toThrow('ends its function by itself')
      expect((await placeOf(attempt)).line, body).toBe(line)
    }
    for (const body of ['}', '{', '`', '/*', '${', '(', "'"])
      await expect(renderToolModule({ ...parts, body }), body).rejects.toThrow(SourceSyntaxError)
  })

  it('takes a body that ends with a comment, or is empty', async () => {
    for (const body of ['return "" // }', 'return "" /* } */', '', '\n\n'])
      expect(await renderToolModule({ ...parts, body })).toContain(`\n${body}\n}\n`)
  })

  it('tells places in the lines of the body', async () => {
    const body = 'const a = 1\n  enum E { A }\nreturn a'
    expect(await placeOf(() => renderToolModule({ ...parts, body }))).toEqual({
      line: 2,
      column: 3,
    })
    const found = { ...parts, body: 'const a = 1\n  return eval("a")' }
    const [problem] = await checkSource(await renderToolModule(found), powers)
    expect(problem).toMatchObject({ rule: 'call.eval', line: 10 })
    expect(problem && problemInBody(problem, found)).toMatchObject({ line: 2, column: 10 })
    expect(problem && problemInBody({ ...problem, line: 1 }, found)).toMatchObject({ line: 1 })
  })
})

async function placeOf(
  action: () => Promise<unknown>,
): Promise<{ readonly line: number; readonly column: number }> {
  try {
    await action()
  } catch (error) {
    if (error instanceof SourceSyntaxError) return { line: error.line, column: error.column }
    throw error
  }
  throw new Error('nothing was thrown')
}
