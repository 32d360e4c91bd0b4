import { describe, expect, test } from 'vitest'
import { describePathProblem, isPathWithin, normalisePath } from './policy-path.ts'

describe('a path of a policy', () => {
  test.each([
    'data',
    './data',
    '.',
    'data/reports/',
    '/srv/data',
    'C:/data',
    'a b',
    '..data',
    'data..',
    'routes/[...slug]',
    'données',
    '/srv/a:b',
    '.env',
  ])('may be %j', (path) => {
    expect(describePathProblem(path)).toBeUndefined()
  })

  test.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['/', 'whole disk'],
    ['/.', 'whole disk'],
    ['/./', 'whole disk'],
    ['C:/', 'whole disk'],
    ['C:', 'drive letter'],
    ['C:data', 'drive letter'],
    ['//server/share', 'begins with //'],
    ['//', 'begins with //'],
    ['~', 'not expanded'],
    ['~/data', 'not expanded'],
    ['~root/data', 'not expanded'],
    ['..', 'climb'],
    ['../data', 'climb'],
    ['data/..', 'climb'],
    ['data/../../etc', 'climb'],
    ['/srv/../etc', 'climb'],
    ['data\\..\\..', 'separated by /'],
    ['C:\\data', 'separated by /'],
    ['data/*', 'no patterns'],
    ['data\0', 'control'],
    ['data\n', 'control'],
    ['data\u0085', 'control'],
    ['data\u202e', 'turn'],
    ['data\u200f', 'turn'],
    ['data\ud800', 'control'],
  ])('may not be %j', (path, reason) => {
    const problem = describePathProblem(path)
    expect(problem).toContain(reason)
    expect(problem).toContain('"data/reports"')
    expect(problem).not.toMatch(/[\n\0\u0085\u202e\u200f]/)
  })

  test.each([
    ['data', 'data', true],
    ['data/x', 'data', true],
    ['data/x', './data//', true],
    ['data', 'data/x', false],
    ['data2', 'data', false],
    ['/data/x', 'data', false],
    ['data', '.', true],
    ['.', '.', true],
    ['.', 'data', false],
    ['/data', '.', false],
    ['C:/data', '.', false],
    ['C:/data', 'C:/data/', true],
    ['Data', 'data', false],
  ])('%j within %j: %s', (inner, outer, within) => {
    expect(isPathWithin(inner, outer)).toBe(within)
  })

  test('has one best form', () => {
    expect(['./a//b/', '/a/./b/', '.', './', '/'].map(normalisePath)).toEqual([
      'a/b',
      '/a/b',
      '.',
      '.',
      '',
    ])
  })
})
