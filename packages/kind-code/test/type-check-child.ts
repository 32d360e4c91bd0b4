// A host that is killed while the types of a source are checked: tells the process that checks them, and waits.

import { createRequire } from 'node:module'
import { TypeCheckProcess } from '../src/types/type-check-process.ts'

const checking = new TypeCheckProcess({
  typescript: createRequire(import.meta.url).resolve('typescript-classic'),
  timeoutMs: Number(process.argv[2]),
  startTimeoutMs: 60_000,
  // It must not end for want of memory before its host is killed.
  maxMemoryMb: 4_096,
})
const source = [
  'type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9',
  'type Many = `${Digit}${Digit}${Digit}${Digit}`',
  'type Few = `${Digit}${Digit}${Digit}`',
  'const slow: Many extends `${infer A}${Few}` ? { [P in Many]: { [Q in Few]: `${P}${Q}` } }[Many][Few] : 1 = 1',
  'export default () => 1',
].join('\n')
const declarations = 'type Input = unknown; type Output = unknown; type ToolContext = unknown'
const { signal } = new AbortController()
const request = { declarations, form: 'function', modules: [] } as const
await checking.check({ ...request, source: 'export default () => 1' }, signal)
void checking.check({ ...request, source }, signal)
// By now it computes, and looks at no message.
setTimeout(() => process.send?.(checking.pid), 1_000)
