import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

/** Workspace packages resolve to their sources, so tests need no build. */
const conditions = ['@toolcrib/source']

/** Packages that keep nothing in globals, files or processes, so that their test files may share a worker. */
const neutral = new Set(['compute', 'invoke', 'redaction', 'registry'])

const project = (name: string, root: string): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    root,
    isolate: !neutral.has(name),
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: [new URL(`${root}/test/setup.ts`, import.meta.url)]
      .map((file) => fileURLToPath(file))
      .filter((file) => existsSync(file)),
    typecheck: { enabled: true, include: ['src/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
  },
})

const members = (folder: string): TestProjectInlineConfiguration[] =>
  readdirSync(folder)
    .filter((name) => existsSync(`${folder}/${name}/package.json`))
    .map((name) => project(name, `${folder}/${name}`))

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    ...(process.env['PROPERTY_SEED'] === undefined
      ? {}
      : { setupFiles: [fileURLToPath(new URL('test/property-seed.ts', import.meta.url))] }),
    // Many tests wait for a database, a child process or a clock, so two at a time also suit a machine with two cores.
    maxWorkers: 2,
    projects: [
      ...members('packages'),
      ...members('apps'),
      { extends: true, test: { name: 'workspace', root: 'test', include: ['*.test.ts'] } },
    ],
  },
})
