import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Switch } from './code-standing.ts'

/** The first version that has no interface for programs which check one text. */
const firstWithout = 7

/**
 * Decides whether types of code tools are checked: wherever TypeScript is installed, unless the settings say otherwise. It is
 * optional, for its size; nothing relies on types.
 */
export function decideTypeCheck(
  wanted: boolean | undefined,
  findVersion: () => string | undefined = installedVersion,
): Switch {
  if (wanted === false) return { isOn: false, because: 'code.typeCheck is false' }
  const version = findVersion()
  if (version === undefined)
    return {
      isOn: false,
      because: 'typescript is not installed; to have it: npm install typescript@6',
    }
  return Number.parseInt(version, 10) < firstWithout
    ? { isOn: true, because: `typescript ${version} is installed` }
    : {
        isOn: false,
        because: `typescript ${version} cannot be asked; to have one that can: npm install typescript@6`,
      }
}

function installedVersion(): string | undefined {
  try {
    const path = createRequire(import.meta.url).resolve('typescript/package.json')
    return (JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }).version
  } catch {
    return undefined
  }
}
