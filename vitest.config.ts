import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { makeFolderInMemory } from './test/folder-in-memory.ts'

/** Workspace packages resolve to their sources, so tests need no build. */
const conditions = ['@toolcrib/source']

// Child processes of tests, and what workers load from `node_modules`, are compiled once and not by each of them.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

/** Packages whose test files may share a worker: what they change of it they put back. */
const neutral = new Set([
  'agent',
  'call-log',
  'tools',
  'compute',
  'factory',
  'invoke',
  'kind-code',
  'kind-compute',
  'kind-n8n',
  'n8n',
  'policy',
  'redaction',
  'registry',
  'testing',
  'toolsmaker',
])

const setupFiles = [
  join(import.meta.dirname, 'test/patient-deadlines.ts'),
  join(import.meta.dirname, 'test/patience.ts'),
  ...(process.env['PROPERTY_SEED'] === undefined
    ? []
    : [join(import.meta.dirname, 'test/property-seed.ts')]),
  // `TEST_CPU_SECONDS=file` says what each file of tests costs.
  ...(process.env['TEST_CPU_SECONDS'] === undefined
    ? []
    : [join(import.meta.dirname, 'test/cpu-seconds.ts')]),
]

/** Packages that test what commands and paths reach: a command that is fenced in sees nothing of what lies in memory. */
const onDisk = new Set(['policy', 'sandbox', 'tools'])

/** Files of these packages that put something in place of what others load, or that run commands. */
const apart: Readonly<Record<string, readonly string[]>> = {
  agent: [
    'test/built-in-tools.test.ts',
    'test/code-kernel.test.ts',
    'test/held-tools.test.ts',
    'test/postgres.test.ts',
    'test/tool-settings.test.ts',
  ],
}

const folderInMemory = makeFolderInMemory()

// All have the folder of the workspace as their root: what one has compiled serves the others too.
const project = (name: string, folder: string): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    isolate: !neutral.has(name),
    ...(folderInMemory === undefined || onDisk.has(name)
      ? {}
      : { env: { TMPDIR: folderInMemory } }),
    include: [`${folder}/src/**/*.test.ts`, `${folder}/test/**/*.test.ts`],
    exclude: ['**/node_modules/**', ...(apart[name] ?? []).map((file) => `${folder}/${file}`)],
    setupFiles: [join(import.meta.dirname, folder, 'test/setup.ts')].filter((file) =>
      existsSync(file),
    ),
    typecheck: {
      enabled: true,
      include: [`${folder}/src/**/*.test-d.ts`],
      tsconfig: join(import.meta.dirname, folder, 'tsconfig.json'),
    },
  },
})

const projectApart = (name: string, folder: string): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name: `${name}-apart`,
    include: (apart[name] ?? []).map((file) => `${folder}/${file}`),
  },
})

const members = (folder: string): TestProjectInlineConfiguration[] =>
  readdirSync(folder).flatMap((name) =>
    existsSync(`${folder}/${name}/package.json`)
      ? [
          project(name, `${folder}/${name}`),
          ...(apart[name] === undefined ? [] : [projectApart(name, `${folder}/${name}`)]),
        ]
      : [],
  )

const flat = (name: string, folder: string): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include: [`${folder}/*.test.ts`] },
})

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // What ends a test that hangs. Nothing is measured by it: the machine may have much else to do.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    setupFiles,
    // PGlite and QuickJS are WebAssembly. V8's second compiler makes them faster in a host that stays up; what it costs a test is
    // more than it brings. Child processes, READMEs, examples and `pnpm test:long` have both.
    execArgv: process.env['TOOLCRIB_LONG_TESTS'] === undefined ? ['--liftoff-only'] : [],
    // Under turbo each package leaves a report, from which `pnpm test` adds up; its place is in the package's `test` script.
    ...(process.env['TURBO_HASH'] === undefined ? {} : { reporters: ['default', 'json'] }),
    // Many tests wait for a database, a child process or a clock, so two at a time also suit a machine with two cores.
    maxWorkers: 2,
    projects: [
      ...members('packages'),
      ...members('apps'),
      flat('workspace', 'test'),
      flat('test-databases', 'test-databases'),
    ],
  },
})
