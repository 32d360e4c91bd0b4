import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', 'compute-worker': 'src/thread/compute-worker.ts' },
  format: ['esm'],
  target: 'node22',
  dts: false,
  clean: true,
  sourcemap: true,
  treeshake: true,
  removeNodeProtocol: false,
})
