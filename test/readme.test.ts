import { execFile } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { patientNode } from './patient-node.ts'
import { readReadmeExamples } from './readme-examples.ts'

const folders = [...readdirSync('packages').map((name) => `packages/${name}`), 'apps/agent'].filter(
  (folder) => existsSync(`${folder}/package.json`),
)

// Half of the time of an example is waiting, so that some run at once.
test.concurrent.each(folders)('the README of %s tells the truth', async (folder) => {
  const examples = readReadmeExamples(folder)
  expect(examples.length).toBeGreaterThan(0)
  for (const [index, { code, expected }] of examples.entries()) {
    const file = `${folder}/.readme-${index}.ts`
    writeFileSync(file, code)
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [...patientNode, file])
      expect(stdout.trimEnd().split('\n')).toEqual(expected)
    } finally {
      rmSync(file)
    }
  }
})
