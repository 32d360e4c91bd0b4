import { defineConfig } from 'vitest/config'

/** Workspace packages resolve to their sources, so tests need no build. */
const conditions = ['@toolcrib/source']

/** What has to hold on a real n8n. Not part of the plain test run: `pnpm test:n8n` starts the servers. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['packages/*/contract/**/*.contract.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // One server, and tests that restart it.
    fileParallelism: false,
  },
})
