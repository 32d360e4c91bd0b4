import { readFileSync } from 'node:fs'
import { callLogErrorCatalogue } from '@toolcrib/call-log'
import { factoryErrorCatalogue } from '@toolcrib/factory'
import { n8nKindErrorCatalogue } from '@toolcrib/kind-n8n'
import { n8nErrorCatalogue } from '@toolcrib/n8n'
import { policyErrorCatalogue } from '@toolcrib/policy'
import { toolErrorCatalogue } from '@toolcrib/registry'
import { sandboxErrorCatalogue } from '@toolcrib/sandbox'
import { builtInToolErrorCatalogue } from '@toolcrib/tools'
import { toolsmakerErrorCatalogue } from '@toolcrib/toolsmaker'
import { hostErrorCatalogue } from 'toolcrib'
import { expect, test } from 'vitest'

const catalogues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '@toolcrib/registry': toolErrorCatalogue,
  '@toolcrib/call-log': callLogErrorCatalogue,
  '@toolcrib/policy': policyErrorCatalogue,
  '@toolcrib/n8n': n8nErrorCatalogue,
  '@toolcrib/sandbox': sandboxErrorCatalogue,
  '@toolcrib/tools': builtInToolErrorCatalogue,
  '@toolcrib/kind-n8n': n8nKindErrorCatalogue,
  '@toolcrib/toolsmaker': toolsmakerErrorCatalogue,
  '@toolcrib/factory': factoryErrorCatalogue,
  toolcrib: hostErrorCatalogue,
}

/** The rows of each section's table: code and meaning. */
function readPage(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const page = readFileSync('docs/errors.md', 'utf8')
  return new Map(
    page
      .split(/^## /m)
      .slice(1)
      .map((section) => [
        section.slice(0, section.indexOf('\n')).replaceAll('`', ''),
        new Map(
          [...section.matchAll(/^\| `(\w+)` *\| (.*?) *\|/gm)].map(
            ([, code = '', meaning = '']) => [code, meaning],
          ),
        ),
      ]),
  )
}

test.each(Object.entries(catalogues))(
  'docs/errors.md has exactly the codes of %s',
  (name, catalogue) => {
    expect(Object.fromEntries(readPage().get(name) ?? [])).toEqual(catalogue)
  },
)
