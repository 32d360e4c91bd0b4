import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', 'source-worker': 'src/source-thread/source-worker.ts' },
  format: ['esm'],
  target: 'node22',
  dts: false,
  clean: true,
  sourcemap: true,
  treeshake: true,
  removeNodeProtocol: false,
})
