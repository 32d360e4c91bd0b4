import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    file: 'src/file.ts',
    http: 'src/http.ts',
    shell: 'src/shell.ts',
    sql: 'src/sql.ts',
    'embedded-worker': 'src/sql/embedded/embedded-worker.ts',
  },
  format: ['esm'],
  target: 'node22',
  dts: false,
  clean: true,
  sourcemap: true,
  treeshake: true,
  removeNodeProtocol: false,
})
