import { describe, expect, it } from 'vitest'
import { SourceSyntaxError, stripTypes } from './strip-types.ts'

const good = 'export default async (input: { a: string }): Promise<string> => input.a'
const stripped = 'export default async (input               )                  => input.a'

function failureOf(source: string, timeoutMs = 5_000): SourceSyntaxError {
  try {
    stripTypes(source, { timeoutMs })
  } catch (error) {
    if (error instanceof SourceSyntaxError) return error
    throw error
  }
  throw new Error(`stripped: ${source.slice(0, 100)}`)
}

/** Parts that nest with each repetition, some of which the parser tries again and again. */
const nestingParts: readonly string[] =
  '( [ ! a?a: `${ a+ a. a=> if(a) { typeof~ function~a(){ A< [a= async( <T>( a?(b):c=> a?<T>(b):c=> keyof~ try{'
    .split(' ')
    .map((part) => part.replaceAll('~', ' '))

describe('the erasing of types', () => {
  it('leaves every line and column where it was', () => {
    expect(stripTypes(good)).toBe(stripped)
    const odd =
      'let é: "日本🎉👩‍👧" = 1\r\ninterface Ü {\n  a: 1\n}\nexport const x = é as unknown as Ü; x!'
    const result = stripTypes(odd)
    expect(result).toHaveLength(odd.length)
    expect(result.indexOf('export const x')).toBe(odd.indexOf('export const x'))
    expect(result.split('\n')).toHaveLength(odd.split('\n').length)
  })

  it('says where and why a source cannot be read', () => {
    expect(failureOf('const a = 1\n  enum E { A }')).toMatchObject({
      rule: 'syntax.not-erasable',
      line: 2,
      column: 3,
      message: expect.stringContaining('Use an object "as const"') as string,
    })
    expect(failureOf('let a = {;')).toMatchObject({ rule: 'syntax', line: 1, column: 10 })
    expect(failureOf('class A { constructor(private x: 1) {} }').message).toContain(
      'Declare the field',
    )
    expect(failureOf('import a = require("b")').message).toContain('Use import and export')
    expect(failureOf('\uFEFFlet a')).toMatchObject({ rule: 'syntax' })
  })

  it('refuses what nests too deep, and reads the next source all the same', () => {
    for (const part of nestingParts)
      for (const before of part === 'A<' || part === 'keyof ' ? ['type A = '] : ['x = ']) {
        const source = before + part.repeat(Math.floor(30_000 / part.length))
        expect(() => stripTypes(source, { timeoutMs: 1_000 })).toThrow(SourceSyntaxError)
        expect(stripTypes(good), part).toBe(stripped)
      }
  })

  it('ends when the parser tries the same again and again, and reads the next source', () => {
    for (const source of [
      `x = ${'<T>('.repeat(40)}a${')'.repeat(40)}`,
      `x = ${'a?(b):c=>'.repeat(40)}d`,
      `x = ${'a?<T>(b):c=>'.repeat(20)}d`,
      `f(${'<T>['.repeat(40)}a${']'.repeat(40)})`,
    ]) {
      const start = performance.now()
      expect(failureOf(source, 100)).toMatchObject({
        rule: 'size',
        message: expect.stringContaining('took more than 100 ms') as string,
      })
      expect(performance.now() - start).toBeLessThan(5_000)
      expect(stripTypes(good)).toBe(stripped)
    }
  })
})
