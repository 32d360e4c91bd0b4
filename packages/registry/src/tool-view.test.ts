import { ToolRegistry, type Principal, type ToolDefinition, viewTool } from '@toolcrib/registry'
import { expect, test } from 'vitest'
import { z } from 'zod'

const pay: ToolDefinition = {
  name: 'pay',
  description: 'Pays',
  inputSchema: z.object({ sum: z.number() }),
  outputSchema: z.object({ paid: z.boolean() }),
  risk: 'high',
  annotations: { destructiveHint: true },
  execute: () => ({ paid: true }),
}

function snapshotOf(...tools: ToolDefinition[]): ReturnType<ToolRegistry['snapshot']> {
  const registry = new ToolRegistry()
  for (const tool of tools) registry.register(tool)
  return registry.snapshot()
}

test('a snapshot shows what is known of a tool and cannot run it', () => {
  const view = snapshotOf(pay).get('pay')
  expect(view).toMatchObject({
    name: 'pay',
    description: 'Pays',
    risk: 'high',
    annotations: { destructiveHint: true },
    source: { type: 'built-in' },
    input: { schema: { type: 'object', required: ['sum'] } },
    output: { schema: { required: ['paid'] } },
  })
  expect(view).not.toHaveProperty('execute')
  expect(view).not.toHaveProperty('inputSchema')
  expect(JSON.parse(JSON.stringify(view))).toMatchObject({ name: 'pay', input: {} })
})

test('nobody can change a view, nor what lies in it', () => {
  const view = snapshotOf(pay).get('pay')
  if (view?.problem !== undefined || view === undefined) throw new Error('no view')
  for (const part of [view, view.source, view.annotations, view.input, view.input.schema])
    expect(Object.isFrozen(part)).toBe(true)
  expect(Object.isFrozen(view.input.schema['properties'])).toBe(true)
})

test('a snapshot gives the same view each time', () => {
  const snapshot = snapshotOf(pay)
  expect(snapshot.get('pay')).toBe(snapshot.tools()[0])
  expect(snapshot.get('constructor')).toBeUndefined()
})

test('a made tool that names no risk shows a medium one, another a low one', () => {
  const { risk: _, ...plain } = pay
  expect(viewTool(plain).risk).toBe('low')
  const made = { type: 'made', kind: 'compute', version: 1, hash: '', owner: 'a' } as const
  expect(viewTool({ ...plain, source: { ...made, visibility: 'owner' } }).risk).toBe('medium')
})

test('what is no principal sees nothing', () => {
  const registry = new ToolRegistry()
  registry.register(pay)
  const made = { type: 'made', kind: 'compute', version: 1, hash: '', owner: 'agent:a' } as const
  registry.register({ ...pay, name: 'own', source: { ...made, visibility: 'owner' } })
  const strangers: unknown[] = [
    {},
    null,
    'agent:a',
    { kind: 'Agent', id: 'a' },
    { kind: 'root', id: 'a' },
    { kind: 'agent' },
    { kind: 'agent', id: '' },
    { kind: 'agent', id: 7 },
    { kind: 'agent', id: 'a\ud800' },
    { kind: 'agent', id: 'a'.repeat(201) },
    { kind: ['person'], id: 'a' },
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('no')
        },
      },
    ),
  ]
  for (const stranger of strangers) {
    const snapshot = registry.snapshot(stranger as Principal)
    expect(snapshot.count()).toBe(0)
    expect(snapshot.list()).toEqual([])
    expect(snapshot.get('pay')).toBeUndefined()
  }
  expect(registry.snapshot({ kind: 'agent', id: 'a' }).count()).toBe(2)
  expect(registry.snapshot({ kind: 'agent', id: 'b' }).count()).toBe(1)
})
