import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readInstalledCatalogue } from '../scripts/build-node-catalogue.ts'
import { nodeCatalogue } from '../src/node-catalogue.ts'
import { readRealServer } from './real-server.ts'

const { version } = readRealServer()

/** Where the server is installed, when it is on this machine. */
const folder = [
  process.env['N8N_FOLDER'],
  `/tmp/n8n-${version}/app`,
  `/tmp/n8n-${version.split('.')[0]}/app`,
].find((path) => path !== undefined && existsSync(`${path}/node_modules/n8n/package.json`))

test('the shipped catalogue is what the script makes of the installed release', () => {
  expect(folder, 'N8N_FOLDER names the folder that n8n is installed in').toBeDefined()
  expect(nodeCatalogue(version)).toEqual(readInstalledCatalogue(folder ?? ''))
})
