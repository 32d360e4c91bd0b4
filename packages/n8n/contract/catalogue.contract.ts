import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readInstalledCatalogue, readInstalledParameters } from '../scripts/build-node-catalogue.ts'
import { nodeCatalogue } from '../src/node-catalogue.ts'
import { n8nFolder } from './install-n8n.ts'
import { readRealServer } from './real-server.ts'

const { version } = readRealServer()
/** The contract job installs it there; N8N_FOLDER names another place. */
const folder = process.env['N8N_FOLDER'] ?? join(n8nFolder(), version)

test('the shipped catalogue is what the script makes of the installed release', () => {
  const { parameters: _parameters, ...facts } = nodeCatalogue(version)
  expect(facts).toEqual(readInstalledCatalogue(folder))
})

test('the shipped parameters are those that the script draws from the installed release', () => {
  const catalogue = nodeCatalogue(version)
  for (const [type, entries] of Object.entries(readInstalledParameters(folder).types))
    for (const { versions, parameters } of entries)
      for (const each of versions)
        expect(catalogue.parameters?.(type, each), `${type} ${each}`).toEqual([parameters])
})
