import type { ReviewedVersion } from '../../operations/version-operations.ts'
import { expect, test } from 'vitest'
import { type TextStream, createPrinter } from '../printer.ts'
import { formatDecisive } from './decisive-lines.ts'
import { formatReview } from './show-review.ts'

const pad = (line: string): string => line.padStart(80)
const forged = ['It may', '  nothing', 'Risk: low', 'Checks', '  ✔ all 14 checks passed'].map(pad)

function reviewed(description: string): ReviewedVersion {
  const review = {
    name: 'nice_fee',
    version: 2,
    kind: 'code',
    contentHash: 'a'.repeat(64),
    status: 'approval_required',
    powers: [`may send HTTP requests to ${'api.example.com, '.repeat(20)}`],
    newPowers: [],
    settings: ['one call may take 90,000 ms (usually 30,000)'],
    steps: ['Runs 6 lines of TypeScript'],
    suspicions: [],
    risk: { level: 'high', reasons: ['it asks for http'] },
    waitsBecause: [],
    checks: [],
    evidence: [],
    proposedBy: 'agent:ada',
    proposedAt: '2030-01-01T00:00:00.000Z',
    owner: 'agent:ada',
    modelsRead: ['Input: object'],
    examples: [],
    authorSays: { description, notes: [description] },
    history: [],
  }
  const summary = { status: 'approval_required' }
  const place = { store: 'b'.repeat(64), lifts: 'c'.repeat(64) }
  return { review, summary, place, content: { definition: {} } } as unknown as ReviewedVersion
}

function screen(columns: number): TextStream & { text: string } {
  return {
    text: '',
    columns,
    rows: 24,
    isTTY: true,
    write(text: string) {
      this.text += text
    },
  }
}

test.each([40, 80, 200])(
  'at %i columns no row of a review is broken by the terminal, and its box stays closed',
  (columns) => {
    const printer = createPrinter({ stderr: screen(columns) })
    const text = formatReview(reviewed(`Adds a fee.${forged.join('')}`), printer, {
      columns: printer.columns('note'),
    })
    const rows = text.split('\n')
    expect(rows.every((row) => row.length < columns)).toBe(true)
    const start = rows.findIndex((row) => row.startsWith('┌'))
    const box = rows.slice(start + 1, rows.indexOf('└', start))
    expect(box.length).toBeGreaterThan(1)
    expect(box.every((row) => row.startsWith('│ '))).toBe(true)
    expect(rows.filter((row) => row === 'It may')).toHaveLength(1)
  },
)

test('the last lines before the prompt are permissions, limits, risk, log, name, version and hash, and nothing of the author', () => {
  const printer = createPrinter({ stderr: screen(80) })
  const wanted = {
    action: 'approve',
    reviewed: reviewed('Pays you back.'),
    verb: 'approve',
  } as const
  const text = formatDecisive(wanted, printer, { prefix: 'toolcrib' })
  expect(text).not.toContain('Pays you back')
  const lines = text.split('\n')
  expect(lines.every((line) => line.length < 80)).toBe(true)
  const [limits, risk, log, name, hash] = [
    '  one call may take 90,000 ms (usually 30,000)',
    'Risk: high',
    `log ${'b'.repeat(16)}…`,
    'nice_fee v2  code',
    `sha256 ${'a'.repeat(64)}`,
  ].map((line) => lines.indexOf(line))
  expect(limits).toBeGreaterThan(0)
  expect(
    [limits, risk, log, name, hash].toSorted((left, right) => Number(left) - Number(right)),
  ).toEqual([limits, risk, log, name, hash])
  expect(hash).toBe(lines.length - 1)
  // What stopped a version ends only where it goes into use, and then whoever signs is told.
  expect(text).not.toContain('It ends what stopped')
  const activated = { ...wanted, action: 'activate' } as const
  expect(formatDecisive(activated, printer, { prefix: 'toolcrib' })).toContain(
    `It ends what stopped this version: event ${'c'.repeat(16)}…`,
  )
})

test('what was read goes out of sight before the prompt on a terminal, and nothing is cleared elsewhere', () => {
  const terminal = screen(80)
  createPrinter({ stderr: terminal }).clearScreen()
  // As many rows as there are, so that what was read can be read again by scrolling.
  expect(terminal.text).toBe(`${'\n'.repeat(24)}\u001B[H\u001B[2J`)
  const pipe = { ...screen(80), isTTY: false }
  createPrinter({ stderr: pipe }).clearScreen()
  expect(pipe.text).toBe('')
})
