import { createRequire } from 'node:module'
import type * as Acorn from 'acorn'

let acorn: typeof Acorn | undefined

/** The parser, loaded when it is first needed: most programs that can make code tools make none. */
export function loadAcorn(): typeof Acorn {
  acorn ??= createRequire(import.meta.url)('acorn') as typeof Acorn
  return acorn
}
