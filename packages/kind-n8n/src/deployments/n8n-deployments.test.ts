import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeN8nDeployments, wholeDeployment } from '../../test/n8n-deployments-contract.ts'
import { createFileN8nDeployments, createMemoryN8nDeployments } from '../index.ts'

let folder: string
let number = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'n8n-deployments-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A folder that is not there yet. */
function nextFolder(): string {
  number += 1
  return join(folder, String(number), 'deep')
}

describeN8nDeployments('in memory', async () => createMemoryN8nDeployments())
describeN8nDeployments('in files', async () => createFileN8nDeployments(nextFolder()))

test('files are for their owner only, and nothing else is left beside them', async () => {
  const path = nextFolder()
  const deployments = createFileN8nDeployments(path)
  await deployments.write(wholeDeployment)
  await chmod(path, 0o755)
  await deployments.write(wholeDeployment)
  expect((await stat(path)).mode & 0o777).toBe(0o700)
  expect((await stat(join(path, 'add_two_numbers.json'))).mode & 0o777).toBe(0o600)
  expect(await readdir(path)).toEqual(['add_two_numbers.json'])
  // Another process finds it.
  expect(await createFileN8nDeployments(path).read('add_two_numbers')).toEqual(wholeDeployment)
})

test('a write that was interrupted leaves what was there before, and its remains go with the next', async () => {
  const path = nextFolder()
  const deployments = createFileN8nDeployments(path)
  await deployments.write(wholeDeployment)
  await writeFile(join(path, 'add_two_numbers.json.new'), '{"toolName":"add_tw')
  expect(await deployments.read('add_two_numbers')).toEqual(wholeDeployment)
  expect(await deployments.list()).toEqual([wholeDeployment])
  expect(await deployments.listBroken?.()).toEqual([])
  await deployments.write({ ...wholeDeployment, version: 3 })
  expect(await readdir(path)).toEqual(['add_two_numbers.json'])
})

test.each([
  ['no JSON', '{"toolName":', /it is not JSON/],
  ['empty', '', /it is not JSON/],
  ['of another form', '{"toolName":"broken_one","baseUrl":7}', /baseUrl/],
  ['with a field that nobody knows', '{"toolName":"broken_one","baseUrl":"x","evil":1}', /evil/],
  ['of another tool', '{"toolName":"other_one","baseUrl":"x"}', /another tool, "other_one"/],
])('a file that is %s is named, harms no other, and is not touched', async (_how, text, said) => {
  const path = nextFolder()
  const deployments = createFileN8nDeployments(path)
  await deployments.write(wholeDeployment)
  const file = join(path, 'broken_one.json')
  await writeFile(file, text)
  await expect(deployments.read('broken_one')).rejects.toMatchObject({
    code: 'N8N_DEPLOYMENT_BROKEN',
    message: expect.stringMatching(said) as string,
  })
  expect(await deployments.list()).toEqual([wholeDeployment])
  const broken = await deployments.listBroken?.()
  expect(broken).toMatchObject([{ place: file, reason: expect.stringMatching(said) as string }])
  // Nothing of a file that may hold a secret is shown.
  expect(JSON.stringify(broken)).not.toContain('swordfish')
  expect(await readFile(file, 'utf8')).toBe(text)
})

test('files of other names are none of its business', async () => {
  const path = nextFolder()
  const deployments = createFileN8nDeployments(path)
  await deployments.write(wholeDeployment)
  await writeFile(join(path, 'README.txt'), 'x')
  await writeFile(join(path, 'not a name.json'), '{')
  expect(await deployments.list()).toEqual([wholeDeployment])
  expect(await deployments.listBroken?.()).toEqual([])
})
