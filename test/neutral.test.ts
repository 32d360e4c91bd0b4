import { type Metafile, build } from 'esbuild'
import { expect, test } from 'vitest'

/** The entries that must run in browsers and on edge runtimes. */
const neutralEntries = [
  'packages/registry/src/index.ts',
  'packages/redaction/src/index.ts',
  'packages/invoke/src/index.ts',
  'packages/compute/src/index.ts',
  'packages/call-log/src/memory.ts',
  'packages/n8n/src/core.ts',
  'packages/n8n/src/workflow.ts',
  'packages/n8n/src/templates.ts',
]

async function bundle(entry: string): Promise<Metafile> {
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
  return metafile
}

test.each(neutralEntries)('%s reaches nothing of Node', async (entry) => {
  const metafile = await bundle(entry)
  const outside = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external === true && path.startsWith('node:'))
  expect(outside.map(({ path }) => path)).toEqual([])
})

test('the core of the n8n client brings no HTTP client', async () => {
  const { inputs } = await bundle('packages/n8n/src/core.ts')
  const files = Object.keys(inputs)
  expect(files.filter((file) => /node_modules\/(got|keyv|cacheable)/.test(file))).toEqual([])
  expect(files).not.toContain('packages/n8n/src/got-transport.ts')
  expect(files).toContain('packages/n8n/src/create-client.ts')
})
