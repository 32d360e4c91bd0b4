import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/core.ts', 'src/workflow.ts', 'src/templates.ts', 'src/testing.ts'],
  format: ['esm'],
  target: 'node22',
  dts: false,
  clean: true,
  sourcemap: true,
  treeshake: true,
  removeNodeProtocol: false,
})
