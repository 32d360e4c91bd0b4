import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { CommandContext } from '../program/command-context.ts'
import { runMake } from './make-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-make-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A context whose host is never reached: these files end before. */
const context = {
  withHost: () => Promise.reject(new Error('The host was asked.')),
} as unknown as CommandContext

const make = (name: string): Promise<unknown> => runMake(context, join(folder, name))

test('a file that is larger than it may be is not read at all', async () => {
  writeFileSync(join(folder, 'sparse.ts'), '')
  truncateSync(join(folder, 'sparse.ts'), 8 * 1024 ** 3)
  await expect(make('sparse.ts')).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringMatching(/sparse\.ts is larger than 4194304 bytes\.$/),
  })
  writeFileSync(join(folder, 'fits.ts'), ' '.repeat(4_194_304))
  await expect(make('fits.ts')).rejects.toThrow('The host was asked.')
})

test('what is no plain file is refused at once, also a pipe that nobody writes to', async () => {
  mkdirSync(join(folder, 'folder.ts'))
  const names = ['folder.ts']
  if (process.platform !== 'win32') {
    execFileSync('mkfifo', [join(folder, 'pipe.ts')])
    names.push('pipe.ts')
  }
  for (const name of names)
    // oxlint-disable-next-line no-await-in-loop -- two of them
    await expect(make(name), name).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(/no plain file|cannot be read/),
    })
})
