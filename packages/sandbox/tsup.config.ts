import { cpSync } from 'node:fs'
import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    author: 'src/author.ts',
    'sandbox-worker': 'src/lanes/sandbox-worker.ts',
    'sandbox-child': 'src/lanes/sandbox-child.ts',
    'isolate-child': 'src/isolate/isolate-child.ts',
  },
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
