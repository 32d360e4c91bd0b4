import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readReadmeExamples } from './readme-examples.ts'

const folders = [...readdirSync('packages').map((name) => `packages/${name}`), 'apps/agent'].filter(
  (folder) => existsSync(`${folder}/package.json`),
)

test.each(folders)(
  'the README of %s tells the truth',
  (folder) => {
    const examples = readReadmeExamples(folder)
    expect(examples.length).toBeGreaterThan(0)
    for (const [index, { code, expected }] of examples.entries()) {
      const file = `${folder}/.readme-${index}.ts`
      writeFileSync(file, code)
      try {
        const stdout = execFileSync(
          process.execPath,
          ['--disable-warning=ExperimentalWarning', '--conditions=@toolcrib/source', file],
          { encoding: 'utf8', timeout: 60_000 },
        )
        expect(stdout.trimEnd().split('\n')).toEqual(expected)
      } finally {
        rmSync(file)
      }
    }
  },
  60_000,
)
