import { defineConfig } from 'vitest/config'

/** Workspace packages resolve to their sources, so tests need no build. */
const conditions = ['@toolcrib/source']

/** What only one of the two lines of n8n does has files of its own. */
const otherRelease = process.env['N8N_VERSION']?.startsWith('1.') === true ? 2 : 1

/** What has to hold on a real n8n. Not part of the plain test run: `pnpm test:n8n` starts the servers. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['packages/*/contract/**/*.contract.ts'],
    exclude: [`**/*-release-${otherRelease}.contract.ts`],
    // A machine that is busy takes minutes for what takes seconds else.
    testTimeout: 400_000,
    hookTimeout: 400_000,
    // One server, and tests that restart it.
    fileParallelism: false,
  },
})
