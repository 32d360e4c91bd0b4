import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A `ts` block of a README and the lines that it says it prints. */
export interface ReadmeExample {
  readonly code: string
  readonly expected: readonly string[]
}

/** Every `ts` block of a package's README; each `// => text` comment is the line that it must print. */
export function readReadmeExamples(folder: string): readonly ReadmeExample[] {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  return [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = '']) => ({
    code,
    expected: [...code.matchAll(/\/\/ => (.*)$/gm)].map(([, line = '']) => line),
  }))
}
