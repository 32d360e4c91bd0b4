import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Sandbox } from '@toolcrib/sandbox'
import { guestModulesFingerprint } from './modules/guest-modules.ts'

let versionOfAmaro: string | undefined

/** Changes whenever the same source could behave differently: another engine, another way of erasing types, other modules. */
export function codeFingerprint({ engine }: Pick<Sandbox, 'engine'>): string {
  versionOfAmaro ??= readVersion('amaro')
  return `${engine.fingerprint} amaro@${versionOfAmaro} modules@${guestModulesFingerprint()}`
}

// The package does not export its description, which stands beside the folder of its entry.
function readVersion(name: string): string {
  const path = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'package.json')
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }
  return version
}
