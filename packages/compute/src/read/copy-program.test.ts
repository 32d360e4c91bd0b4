import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ComputeError } from '../language/compute-error.ts'
import { defaultLimits } from '../language/compute-limits.ts'
import { copyProgram } from './copy-program.ts'

const codeOf = (given: unknown, limits = {}): string => {
  try {
    copyProgram(given, { ...defaultLimits, ...limits })
    return 'ok'
  } catch (error) {
    if (ComputeError.is(error)) return error.code
    throw error
  }
}

describe('the copy of a program', () => {
  it('is the program, and shares nothing with it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false })), (given) => {
        fc.pre(!JSON.stringify(given).includes('__proto__'))
        const before = JSON.stringify(given)
        const copy = copyProgram(given, defaultLimits)
        expect(JSON.stringify(copy)).toBe(before)
        const scramble = (value: unknown): void => {
          if (typeof value !== 'object' || value === null) return
          for (const [key, inner] of Object.entries(value)) {
            scramble(inner)
            Reflect.set(value, key, 'changed')
          }
        }
        scramble(copy)
        expect(JSON.stringify(given)).toBe(before)
      }),
      { numRuns: 300 },
    )
  })

  it('leaves out fields that are undefined and makes negative zero zero', () => {
    const copy = copyProgram({ a: undefined, b: -0, c: [{ d: undefined }] }, defaultLimits)
    expect(copy).toStrictEqual({ b: 0, c: [{}] })
  })

  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic
  it.each<[string, unknown, string]>([
    ['a class instance', { a: new Date(0) }, 'bad_program'],
    ['a function', { a: () => 1 }, 'bad_program'],
    ['a hole', { a: [, 1] }, 'bad_program'],
    ['an undefined item', { a: [undefined] }, 'bad_program'],
    ['NaN', { a: Number.NaN }, 'bad_program'],
    ['a bigint', { a: 1n }, 'bad_program'],
    ['the key __proto__', JSON.parse('{"a":{"__proto__":1}}'), 'bad_program'],
    ['itself', cyclic, 'limit'],
    [
      'a getter that throws',
      {
        get a(): never {
          throw new Error('no')
        },
      },
      'bad_program',
    ],
    ['nothing but text', '{}', 'bad_program'],
  ])('is refused for %s', (_, given, code) => {
    expect(codeOf(given)).toBe(code)
  })

  it('is as large as the limit says to the byte, however the text is escaped', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', '"', '\n', '\u0001', '\u00e9', '\u20ac', '\u{1f600}'),
        }),
        (text) => {
          const given = { steps: [text, 1, { [text]: null }] }
          const bytes = new TextEncoder().encode(JSON.stringify(given)).length
          expect(codeOf(given, { maxProgramBytes: bytes })).toBe('ok')
          expect(codeOf(given, { maxProgramBytes: bytes - 1 })).toBe('limit')
        },
      ),
      { numRuns: 300 },
    )
  })
})
