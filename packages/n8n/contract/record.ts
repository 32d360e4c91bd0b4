/**
 * Records what a release answers, for the test of the double:
 *
 *   node --conditions=@toolcrib/source packages/n8n/contract/record.ts [2.41.1 1.123.81]
 *
 * Look at the difference before you commit it: it says how n8n has changed.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { runScript } from './exchanges/exchange-script.ts'
import { recordingFile } from './exchanges/recording.ts'
import { testedVersions } from './install-n8n.ts'
import { startServer } from './start-server.ts'

// Ends the servers, too.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130))
const versions = process.argv.length > 2 ? process.argv.slice(2) : testedVersions
for (const version of versions) {
  const server = await startServer({
    version,
    say: (text) => process.stderr.write(`${text}\n`),
  })
  try {
    const exchanges = await runScript({ ...server, major: version.startsWith('1.') ? 1 : 2 })
    const file = recordingFile(version)
    await mkdir(new URL('.', file), { recursive: true })
    await writeFile(file, `${JSON.stringify({ version, exchanges }, undefined, 2)}\n`)
    process.stdout.write(`${version}: ${String(exchanges.length)} exchanges\n`)
  } finally {
    await server.stop()
  }
}
