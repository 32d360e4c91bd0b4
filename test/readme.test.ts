import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const packages = readdirSync('packages').filter((name) =>
  existsSync(`packages/${name}/package.json`),
)

/** Every `ts` block of every package README runs; each `// => text` comment is the line that it must print. */
test.each(packages)('the README of %s tells the truth', (name) => {
  const readme = readFileSync(`packages/${name}/README.md`, 'utf8')
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map((match) => match[1] ?? '')
  expect(blocks.length).toBeGreaterThan(0)
  for (const [index, code] of blocks.entries()) {
    const file = `packages/${name}/.readme-${index}.ts`
    writeFileSync(file, code)
    try {
      const stdout = execFileSync(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', '--conditions=@toolcrib/source', file],
        { encoding: 'utf8', timeout: 60_000 },
      )
      const expected = [...code.matchAll(/\/\/ => (.*)$/gm)].map((match) => match[1])
      expect(stdout.trimEnd().split('\n')).toEqual(expected)
    } finally {
      rmSync(file)
    }
  }
})
