import { describe, expect, it } from 'vitest'
import { SourceSyntaxError } from './source-syntax-error.ts'
import { stripTypes } from './strip-types.ts'

const good = 'export default async (input: { a: string }): Promise<string> => input.a'
const stripped = 'export default async (input               )                  => input.a'

async function failureOf(source: string, timeoutMs = 5_000): Promise<SourceSyntaxError> {
  try {
    await stripTypes(source, { timeoutMs })
  } catch (error) {
    if (error instanceof SourceSyntaxError) return error
    throw error
  }
  throw new Error(`stripped: ${source.slice(0, 100)}`)
}

/** Parts that nest with each repetition, some of which the parser tries again and again. */
const nestingParts: readonly string[] = '( ! a?a: `${ a+ if(a) function~a(){ A< async( a?<T>(b):c=>'
  .split(' ')
  .map((part) => part.replaceAll('~', ' '))

const endless: readonly string[] = [
  `x = ${'<T>('.repeat(40)}a${')'.repeat(40)}`,
  `x = ${'a?<T>(b):c=>'.repeat(20)}d`,
]

describe('the erasing of types', () => {
  it('leaves every line and column where it was', async () => {
    expect(await stripTypes(good)).toBe(stripped)
    const odd =
      'let é: "日本🎉👩‍👧" = 1\r\ninterface Ü {\n  a: 1\n}\nexport const x = é as unknown as Ü; x!'
    const result = await stripTypes(odd)
    expect(result).toHaveLength(odd.length)
    expect(result.indexOf('export const x')).toBe(odd.indexOf('export const x'))
    expect(result.split('\n')).toHaveLength(odd.split('\n').length)
  })

  it('says where and why a source cannot be read', async () => {
    expect(await failureOf('const a = 1\n  enum E { A }')).toMatchObject({
      rule: 'syntax.not-erasable',
      line: 2,
      column: 3,
      message: expect.stringContaining('Use an object "as const"') as string,
    })
    expect(await failureOf('let a = {;')).toMatchObject({ rule: 'syntax', line: 1, column: 10 })
    expect((await failureOf('class A { constructor(private x: 1) {} }')).message).toContain(
      'Declare the field',
    )
    expect((await failureOf('import a = require("b")')).message).toContain('Use import and export')
    expect(await failureOf('\uFEFFlet a')).toMatchObject({ rule: 'syntax' })
  })

  it('refuses what nests too deep, and reads the next source all the same', async () => {
    for (const part of nestingParts) {
      const before = part === 'A<' ? 'type A = ' : 'x = '
      const source = before + part.repeat(Math.floor(30_000 / part.length))
      // oxlint-disable-next-line no-await-in-loop -- one must not harm the next
      await expect(stripTypes(source, { timeoutMs: 200 }), part).rejects.toThrow(SourceSyntaxError)
    }
    expect(await stripTypes(good)).toBe(stripped)
  })

  it('ends when the parser tries the same again and again, and reads the next source', async () => {
    for (const source of endless) {
      // oxlint-disable-next-line no-await-in-loop -- one must not harm the next
      expect(await failureOf(source, 100)).toMatchObject({
        rule: 'size',
        message: expect.stringContaining('took more than 100 ms') as string,
      })
    }
    expect(await stripTypes(good)).toBe(stripped)
  })
})
