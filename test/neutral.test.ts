import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** The entries that must run in browsers and on edge runtimes. */
const neutralEntries = [
  'packages/registry/src/index.ts',
  'packages/redaction/src/index.ts',
  'packages/invoke/src/index.ts',
  'packages/compute/src/index.ts',
  'packages/call-log/src/memory.ts',
]

test.each(neutralEntries)('%s reaches nothing of Node', async (entry) => {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@toolcrib/source'],
    external: ['node:*'],
    logLevel: 'silent',
  })
  const outside = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external === true && path.startsWith('node:'))
  expect(outside.map(({ path }) => path)).toEqual([])
})
