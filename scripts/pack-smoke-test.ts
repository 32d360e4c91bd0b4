/**
 * Packs every package, installs each alone into an empty folder as a user would, and checks there that its README
 * examples compile (TypeScript, nodenext and bundler) and print what they say, on every Node version given:
 *
 *   node scripts/pack-smoke-test.ts [22 24 26]
 *
 * The packages must have been built.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { readReadmeExamples } from '../test/readme-examples.ts'

interface Manifest {
  readonly name: string
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

interface Packed {
  readonly folder: string
  readonly manifest: Manifest
  readonly tarball: string
}

const nodeVersions = process.argv.slice(2)
/** A busy machine is no reason for a README to be wrong. */
const patientDeadlines = new URL('../test/patient-deadlines.ts', import.meta.url).href
const work = mkdtempSync(join(tmpdir(), 'toolcrib-pack-'))
/** Without what is only for people to read. */
const quickInstall = ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline']
let passed = 0
const failures: string[] = []

async function run(
  command: string,
  parameters: readonly string[],
  folder: string,
): Promise<string> {
  const running = promisify(execFile)(command, parameters, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 300_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  running.child.stdin?.end()
  return (await running).stdout
}

async function check(what: string, action: () => Promise<void>): Promise<void> {
  try {
    await action()
    passed += 1
    console.log(`ok   ${what}`)
  } catch (error) {
    const { message, stdout, stderr } = error as Error & { stdout?: string; stderr?: string }
    failures.push(what)
    console.log(`FAIL ${what}\n${message}\n${stdout ?? ''}${stderr ?? ''}`)
  }
}

function equal(actual: readonly string[], expected: readonly string[]): void {
  if (actual.join('\n') !== expected.join('\n'))
    throw new Error(`expected:\n${expected.join('\n')}\nprinted:\n${actual.join('\n')}`)
}

/** The Node binaries to run on: the one that runs this, or those that npm's `node` package brings. */
async function findNodes(): Promise<ReadonlyMap<string, string>> {
  if (nodeVersions.length === 0) return new Map([[process.version, process.execPath]])
  return new Map(
    await inTurn(nodeVersions, async (version) => {
      const folder = join(work, `node-${version}`)
      mkdirSync(folder)
      writeFileSync(join(folder, 'package.json'), '{"private":true}')
      await run('npm', [...quickInstall, `node@${version}`], folder)
      return [version, join(folder, 'node_modules/node/bin/node')] as const
    }),
  )
}

/** What all examples are compiled with, once above the folders of the packages. */
async function installCompiler(): Promise<void> {
  writeFileSync(join(work, 'package.json'), '{"private":true}')
  await run('npm', [...quickInstall, 'typescript@7.0.2', '@types/node@24'], work)
}

/** Some at a time, since half of the work is waiting for files and the registry. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = [...items.entries()]
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      // oxlint-disable-next-line no-await-in-loop -- one after the other in each lane
      results[next[0]] = await act(next[1])
  }
  await Promise.all(Array.from({ length: 3 }, lane))
  return results
}

async function pack(folder: string): Promise<Packed> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const output = await run('pnpm', ['pack', '--json', '--pack-destination', work], folder)
  const { filename } = JSON.parse(output.slice(output.indexOf('{'))) as { filename: string }
  return { folder, manifest, tarball: resolve(work, filename) }
}

async function install(packed: Packed, all: readonly Packed[]): Promise<string> {
  const folder = join(work, packed.manifest.name.replace('/', '-'))
  mkdirSync(folder)
  const tarballs = Object.fromEntries(
    all.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]),
  )
  // What the README tells a user to install: packages of ours come from their tarballs too.
  const readme = readFileSync(join(packed.folder, 'README.md'), 'utf8')
  const told =
    /^npm install (.+)$/m
      .exec(readme)?.[1]
      ?.split(' ')
      .filter((word) => !word.startsWith('-')) ?? []
  const ours = [packed.manifest.name, ...told].filter((name) => name in tarballs)
  const dependencies = Object.fromEntries(ours.map((name) => [name, tarballs[name]]))
  const manifest = { private: true, type: 'module', dependencies, overrides: tarballs }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  const beside = told.filter((name) => !(name in tarballs))
  await run('npm', [...quickInstall, ...beside], folder)
  return folder
}

const moduleSettings = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
]

async function checkPackage(
  packed: Packed,
  folder: string,
  nodes: ReadonlyMap<string, string>,
): Promise<void> {
  const { name } = packed.manifest
  const examples = readReadmeExamples(packed.folder)
  for (const [index, { code }] of examples.entries())
    writeFileSync(join(folder, `example-${index}.ts`), code)
  for (const setting of moduleSettings)
    await check(`${name}: README compiles with ${setting.moduleResolution}`, async () => {
      const compilerOptions = {
        ...setting,
        target: 'es2024',
        lib: ['es2024', 'dom'],
        types: ['node'],
        strict: true,
        skipLibCheck: true,
        outDir: 'out',
        rootDir: '.',
        exactOptionalPropertyTypes: true,
      }
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, include: ['example-*.ts'] }),
      )
      await run('node', [join(work, 'node_modules/typescript/bin/tsc'), '-p', '.'], folder)
    })
  await Promise.all(
    [...nodes].map(async ([version, node]) => {
      for (const [index, { expected }] of examples.entries())
        await check(`${name}: README example ${index + 1} runs on Node ${version}`, async () => {
          const printed = await run(
            node,
            [
              '--disable-warning=ExperimentalWarning',
              `--import=${patientDeadlines}`,
              `out/example-${index}.js`,
            ],
            folder,
          )
          equal(printed.trimEnd().split('\n'), expected)
        })
      for (const [command, path] of Object.entries(packed.manifest.bin ?? {}))
        await check(`${name}: the command ${command} starts on Node ${version}`, async () => {
          await run(node, [join('node_modules', name, path), '--version'], folder)
        })
    }),
  )
}

const folders = [
  ...readdirSync('packages').map((name) => join('packages', name)),
  join('apps', 'agent'),
]
try {
  await installCompiler()
  const nodes = await findNodes()
  const all = await inTurn(folders, (folder) => pack(resolve(folder)))
  await inTurn(all, (packed) =>
    check(`${packed.manifest.name}: installs alone`, async () => {
      await checkPackage(packed, await install(packed, all), nodes)
    }),
  )
} finally {
  rmSync(work, { recursive: true, force: true })
}
console.log(`Pack smoke test: ${passed} checks passed, ${failures.length} failed`)
process.exitCode = failures.length === 0 ? 0 : 1
