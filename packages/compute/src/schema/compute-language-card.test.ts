import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { type ComputeLogic, compileCompute } from '../index.ts'
import { defaultLimits } from '../language/compute-limits.ts'
import { functionForms, macroNames } from '../language/functions.ts'
import { stepFields } from '../read/step-fields.ts'
import {
  declarationDescriptions,
  declarationShapes,
  programChoices,
  programDescriptions,
} from './declaration-shapes.ts'
import { computeLanguageCard } from './index.ts'

const lines = computeLanguageCard.split('\n')
/** The part of the card under a heading. */
const sectionOf = (heading: string): string =>
  computeLanguageCard.split('\n## ').find((part) => part.startsWith(heading)) ?? ''
const hasWord = (text: string, word: string): boolean => text.split(/[^A-Za-z_]+/).includes(word)
const missingIn = (text: string, words: Iterable<string>): readonly string[] =>
  [...words].filter((word) => !hasWord(text, word))

describe('the language card', () => {
  it('has at most 1,350 tokens of o200k_base', () => {
    expect(encode(computeLanguageCard).length).toBeLessThanOrEqual(1_350)
  })

  it('names every operation with all of its fields, optional ones marked', () => {
    for (const [op, fields] of stepFields) {
      const line = lines.find((text) => text.startsWith(`${op} {`)) ?? ''
      expect([
        op,
        missingIn(
          line,
          fields.map(({ name }) => name),
        ),
      ]).toEqual([op, []])
      const plain = fields.filter(
        ({ name }) => !['key', 'keyFrom', 'value', 'fields'].includes(name),
      )
      for (const { name, optional } of plain)
        expect([line, line.includes(`${name}?`)]).toEqual([line, optional])
    }
  })

  it('names every function and macro', () => {
    const section = sectionOf('Expressions')
    expect(missingIn(section, [...functionForms.keys(), ...macroNames, 'has'])).toEqual([])
  })

  it('says how many arguments each function takes', () => {
    const section = sectionOf('Expressions')
    for (const [name, forms] of functionForms) {
      // A list of names shares the brackets behind the last one.
      const calls = [
        ...section.matchAll(new RegExp(String.raw`\b${name}\b[a-zA-Z ]*\(([^()]*)\)`, 'g')),
      ]
      const counts = calls
        .map(([, inside = '']) => inside.split(','))
        .map((parts) => [parts.filter((part) => !part.includes('?')).length, parts.length])
      for (const { fewest, parameters, repeats } of forms) {
        if (repeats) expect(section).toContain('or (n, n, …)')
        else
          expect([name, counts]).toEqual([
            name,
            expect.arrayContaining([[fewest, parameters.length]]),
          ])
      }
    }
  })

  it('names every operator, type, field of a declaration and of a program', () => {
    const operators = [
      '?',
      ':',
      '||',
      '&&',
      '<',
      '<=',
      '>',
      '>=',
      '==',
      '!=',
      'in',
      '+',
      '-',
      '*',
      '/',
      '%',
      '!',
    ]
    const [, order = ''] = sectionOf('Expressions').split('\n')
    for (const operator of operators) expect(order.split(/[ ,]+/)).toContain(operator)
    const section = sectionOf('Declarations')
    expect(missingIn(section, Object.keys(declarationShapes))).toEqual([])
    expect(missingIn(section, Object.keys(declarationDescriptions))).toEqual([])
    expect(missingIn(section, Object.values(programChoices).flat())).toEqual([])
    expect(missingIn(lines[1] ?? '', Object.keys(programDescriptions))).toEqual([])
  })

  it('tells the limits that a program meets, as they are', () => {
    const {
      maxSteps,
      maxVariables,
      maxExpressionLength,
      maxNesting,
      maxListLength,
      maxTextLength,
      maxRunUnits,
    } = defaultLimits
    const mistakes = sectionOf('Mistakes')
    for (const limit of [
      maxSteps,
      maxVariables,
      maxExpressionLength,
      maxNesting,
      maxListLength,
      maxTextLength,
      maxRunUnits,
    ])
      expect(mistakes).toContain(`${limit.toLocaleString('en-US')} `)
  })

  it('names the parts of an error', () => {
    expect(
      missingIn(sectionOf('Errors'), ['code', 'path', 'offset', 'snippet', 'message', 'hint']),
    ).toEqual([])
  })

  it('has examples that run and give what it says', () => {
    const examples = sectionOf('Examples').trimEnd().split('\n').slice(1)
    expect(examples).toHaveLength(4)
    for (const index of [0, 2]) {
      const logic = JSON.parse(examples[index] ?? '') as ComputeLogic
      const [args = '', result = ''] = (examples[index + 1] ?? '').split(' gives ')
      expect(compileCompute(logic).run(JSON.parse(args) as Record<string, unknown>)).toEqual(
        JSON.parse(result),
      )
    }
  })
})
