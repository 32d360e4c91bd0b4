import { cpSync } from 'node:fs'
import { defineConfig } from 'tsup'

export default defineConfig({
  entry: [
    'src/index.ts',
    'src/author.ts',
    'src/sandbox-worker.ts',
    'src/sandbox-child.ts',
    'src/isolate-child.ts',
  ],
  format: ['esm'],
  target: 'node22',
  dts: false,
  clean: true,
  sourcemap: true,
  treeshake: true,
  removeNodeProtocol: false,
  // What runs in the guest is text for the host: it is read, never imported.
  onSuccess: async () => cpSync('src/guest', 'dist/guest', { recursive: true }),
})
