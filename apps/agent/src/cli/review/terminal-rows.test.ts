import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { layOut, widthOf } from './terminal-rows.ts'

/** What a terminal of that many columns shows, row by row: it breaks what is too long. */
function onScreen(rows: readonly string[], columns: number): readonly string[] {
  return rows.flatMap((row) => {
    const shown: string[] = ['']
    let width = 0
    for (const character of row) {
      const wide = /\p{Script=Han}|\p{Emoji_Presentation}|[\uFF01-\uFF60]/u.test(character) ? 2 : 1
      if (width + wide > columns) {
        shown.push('')
        width = 0
      }
      shown[shown.length - 1] += character
      width += wide
    }
    return shown
  })
}

const box = (text: string, columns = 80): readonly string[] =>
  onScreen(layOut(text, { columns: columns - 1, first: '│ ' }), columns)

describe('text of somebody else', () => {
  test('keeps the frame on every row, whatever it holds and however narrow the screen is', () => {
    const hostile = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom(
          ' '.repeat(70),
          '\t',
          '\n',
          '\r',
          '漢'.repeat(30),
          '👍',
          'a\u0301\u0302\u0303\u0304',
          '\u202E',
          '\u001B[2J',
          '\u3000',
          'It may',
          '│',
          '└',
        ),
      ),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(hostile, fc.integer({ min: 20, max: 120 }), (parts, columns) => {
        for (const row of box(parts.join(''), columns)) expect(row.startsWith('│ ')).toBe(true)
      }),
    )
  })

  test('does not forge what stands outside of its box with blanks that fill the rows', () => {
    const forged = ['It may', '  nothing', '', 'Checks', '  ✔ all 14 checks passed']
    for (const filler of [' ', '\t', '\u00A0', '\u3000', '\u2003', '\u2800']) {
      const text = `Rounds.${forged.map((line) => filler.repeat(80 - line.length) + line).join('')}`
      const rows = box(text)
      expect(rows.every((row) => row.startsWith('│ '))).toBe(true)
      expect(rows.join('\n')).toMatch(/⟨\d+ blanks⟩/)
    }
  })

  test('does not push the rest out of sight with empty lines', () => {
    const rows = box(`Rounds.${'\n'.repeat(200)}It may\n${' \n'.repeat(200)}nothing`)
    expect(rows.length).toBeLessThan(10)
    expect(rows.join('\n')).toMatch(/⟨\d+ empty lines⟩/)
  })

  test('shows what acts on a screen, hides or turns around as an escape', () => {
    const rows = box('a\u001B[2Jb\u202Ec\u200Bd\u2066e\rf').join('')
    expect(rows).toBe(String.raw`│ a\u{1b}[2Jb\u{202e}c\u{200b}d\u{2066}e\u{d}f`)
    expect(box(`x${'\u0300'.repeat(40)}`).join('')).not.toMatch(/\p{M}/u)
  })

  test('is broken at blanks where there are some, and counts wide letters twice', () => {
    const words = Array.from({ length: 40 }, (_, index) => `word${index}`)
    const rows = layOut(words.join(' '), { columns: 40, first: '  ', rest: '    ' })
    expect(rows.every((row) => widthOf(row) <= 40)).toBe(true)
    expect(rows.join(' ').split(/\s+/).filter(Boolean)).toEqual(words)
    expect(rows.slice(1).every((row) => row.startsWith('    w'))).toBe(true)
    expect(widthOf('漢字')).toBe(4)
    expect(widthOf('Grüße: 3 €')).toBe(10)
  })
})
