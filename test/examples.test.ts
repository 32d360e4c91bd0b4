import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Each example asserts what it shows and exits non-zero when that does not hold. */
test.each(readdirSync('examples'))(
  'the example %s does what it says',
  (name) => {
    const output = execFileSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--conditions=@toolcrib/source', 'main.ts'],
      { cwd: `examples/${name}`, encoding: 'utf8', timeout: 60_000 },
    )
    expect(output).not.toBe('')
  },
  60_000,
)
