import { defineConfig } from 'tsup'

export default defineConfig({
  entry: [
    'src/index.ts',
    'src/file.ts',
    'src/http.ts',
    'src/shell.ts',
    'src/sql.ts',
    'src/embedded-worker.ts',
  ],
  format: ['esm'],
  target: 'node22',
  dts: false,
  clean: true,
  sourcemap: true,
  treeshake: true,
  removeNodeProtocol: false,
})
