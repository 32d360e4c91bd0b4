import { describe, expect, it } from 'vitest'
import { checkCompute, ComputeError, evaluateMathExpression } from '../index.ts'

function thrownBy(expression: string): unknown {
  try {
    return evaluateMathExpression(expression)
  } catch (error) {
    return error
  }
}

describe('a ComputeError', () => {
  it('says where, what and what to do next', () => {
    const error = thrownBy('1 + * 2')
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: 'ComputeError',
      code: 'bad_token',
      path: 'expression',
      offset: 4,
      snippet: '1 + * 2',
    })
    expect(String(error)).toBe(
      'ComputeError: expression at character 4: unexpected symbol "*". Check the operator or the bracket before it.',
    )
  })

  it('is known by its brand, with or without a code', () => {
    const error = thrownBy('1 +')
    expect(ComputeError.is(error)).toBe(true)
    expect(ComputeError.is(error, 'bad_token')).toBe(true)
    expect(ComputeError.is(error, 'limit')).toBe(false)
    expect(ComputeError.is(new Error('bad_token'))).toBe(false)
    expect(ComputeError.is({ code: 'bad_token' })).toBe(false)
    expect(ComputeError.is(null)).toBe(false)
  })

  it('is known when another copy of the package made it', () => {
    const { code, path, issues } = new ComputeError([
      { code: 'limit', severity: 'error', path: '', message: 'm', hint: 'h.' },
    ])
    const other = Object.assign(new Error('x'), { code, path, issues })
    Object.defineProperty(other, Symbol.for('@toolcrib/compute.ComputeError'), { value: true })
    expect(ComputeError.is(other, 'limit')).toBe(true)
  })

  it('is not known by its brand alone, and asking a proxy that throws does not throw', () => {
    const forged = Object.assign(new Error('x'), {
      [Symbol.for('@toolcrib/compute.ComputeError')]: true,
    })
    const getPrototypeOf = (): never => {
      throw forged
    }
    expect(ComputeError.is(forged)).toBe(false)
    expect(ComputeError.is(new Proxy({}, { getPrototypeOf }))).toBe(false)
    for (const thrown of [forged, new Proxy({}, { getPrototypeOf })]) {
      const hostile = {
        get steps(): never {
          // oxlint-disable-next-line typescript/only-throw-error -- a caller's getter may throw anything
          throw thrown
        },
      }
      expect(checkCompute(hostile)).toMatchObject([{ code: 'bad_program' }])
    }
  })

  it('becomes plain data', () => {
    expect(JSON.parse(JSON.stringify(thrownBy('1 +')))).toMatchObject({
      name: 'ComputeError',
      code: 'bad_token',
      issues: [{ code: 'bad_token', path: 'expression', offset: 3 }],
    })
  })

  it('counts further problems', () => {
    const issue = { code: 'limit', severity: 'error', path: '', message: 'm', hint: 'h.' } as const
    expect(new ComputeError([issue, issue, issue]).message).toBe('program: m. h. (and 2 more)')
  })

  it('shows no control or look-alike character of the text as it is', () => {
    const { message, snippet } = thrownBy(`1 + \u202e\u001b[31m${'x'.repeat(100)}`) as ComputeError
    expect(`${message}${snippet}`).toMatch(/^[\x20-\x7e…]*$/)
    expect(snippet?.length).toBeLessThan(100)
  })
})
