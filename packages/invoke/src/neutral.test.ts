import { expect, test } from 'vitest'

interface Globbing {
  glob(pattern: string[], options: object): Record<string, string>
}

const sources = (import.meta as unknown as Globbing).glob(['./**/*.ts', '!./**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

test('the sources import nothing of Node, nothing undeclared and no telemetry', () => {
  expect(Object.keys(sources).length).toBeGreaterThan(20)
  const imported = new Set<string>()
  for (const source of Object.values(sources))
    for (const [, name] of source.matchAll(/from '([^']+)'/g))
      if (name !== undefined && !name.startsWith('.')) imported.add(name)
  expect([...imported].toSorted()).toEqual(['@toolcrib/redaction', '@toolcrib/registry'])
})

test('the sources use no global of Node and no timer that is never cleared', () => {
  for (const [file, source] of Object.entries(sources)) {
    const code = source.replaceAll(/\/\*\*[\s\S]*?\*\/|\/\/.*/g, '')
    expect(code, file).not.toMatch(
      /\b(process|Buffer|setImmediate|require|__dirname)\b|AbortSignal\.timeout/,
    )
  }
})
