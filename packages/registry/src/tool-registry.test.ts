import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import {
  type Logger,
  type MadeToolSource,
  type ToolDefinition,
  ToolRegistry,
  defineTool,
} from './index.ts'

const tool = (name: string, source?: MadeToolSource): ToolDefinition => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: 'object' },
  ...(source === undefined ? {} : { source }),
  execute: () => name,
})

const madeBy = (owner: string, visibility: 'owner' | 'shared'): MadeToolSource => ({
  type: 'made',
  kind: 'compute',
  version: 1,
  hash: '0'.repeat(64),
  owner,
  visibility,
})

test('a registered tool is found by its name', () => {
  const registry = new ToolRegistry()
  const echo = defineTool({
    name: 'echo',
    description: 'Gives back its text',
    inputSchema: z.object({ text: z.string() }),
    execute: ({ text }) => text,
  })
  registry.register(echo)
  expect(registry.get('echo')).toBe(echo)
  expect(registry.has('echo')).toBe(true)
  expect(registry.count()).toBe(1)
  expect(registry.list()).toEqual([{ name: 'echo', description: 'Gives back its text' }])
})

test('registering a name twice is refused and the first tool stays', () => {
  const registry = new ToolRegistry()
  const first = tool('echo')
  registry.register(first)
  expect(() => registry.register(tool('echo'))).toThrowError(
    expect.objectContaining({ code: 'TOOL_EXISTS', data: { name: 'echo' } }),
  )
  expect(registry.get('echo')).toBe(first)
})

test('replace swaps a tool in one step and gives back the old one', () => {
  const registry = new ToolRegistry()
  const [first, second] = [tool('echo'), tool('echo')]
  expect(registry.replace(first)).toBeUndefined()
  expect(registry.replace(second)).toBe(first)
  expect(registry.get('echo')).toBe(second)
})

test('a replacement that is not a tool leaves the old tool in place', () => {
  const registry = new ToolRegistry()
  const first = tool('echo')
  registry.register(first)
  expect(() => registry.replace({ ...tool('echo'), description: '' })).toThrowError(
    expect.objectContaining({ code: 'TOOL_DEFINITION_INVALID' }),
  )
  expect(registry.get('echo')).toBe(first)
})

test('unregister says whether there was a tool', () => {
  const registry = new ToolRegistry()
  registry.register(tool('echo'))
  expect(registry.unregister('echo')).toBe(true)
  expect(registry.unregister('echo')).toBe(false)
  expect(registry.has('echo')).toBe(false)
})

test('the list is sorted by name whatever the order of registration', () => {
  const registry = new ToolRegistry()
  for (const name of ['b', 'a', 'c']) registry.register(tool(name))
  expect(registry.list().map(({ name }) => name)).toEqual(['a', 'b', 'c'])
})

test('a definition with each known source is accepted', () => {
  const registry = new ToolRegistry()
  for (const type of ['built-in', 'mcp'] as const)
    registry.register({ ...tool(type), source: { type, server: 'x' } })
  expect(registry.count()).toBe(2)
})

test('a snapshot does not see later changes', () => {
  const registry = new ToolRegistry()
  registry.register(tool('old'))
  const snapshot = registry.snapshot()
  registry.register(tool('new'))
  registry.unregister('old')
  expect(snapshot.list().map(({ name }) => name)).toEqual(['old'])
  expect(snapshot.has('new')).toBe(false)
  expect(
    registry
      .snapshot()
      .tools()
      .map(({ name }) => name),
  ).toEqual(['new'])
})

test('an agent sees shared tools and its own, a person sees all', () => {
  const registry = new ToolRegistry()
  registry.register(tool('built_in'))
  registry.register(tool('mine', madeBy('agent:alice', 'owner')))
  registry.register(tool('hers', madeBy('agent:bob', 'owner')))
  registry.register(tool('ours', madeBy('agent:bob', 'shared')))
  const names = (kind: 'agent' | 'person', id: string): string[] =>
    registry
      .snapshot({ kind, id })
      .list()
      .map(({ name }) => name)
  expect(names('agent', 'alice')).toEqual(['built_in', 'mine', 'ours'])
  expect(names('agent', 'bob')).toEqual(['built_in', 'hers', 'ours'])
  expect(names('person', 'carol')).toEqual(['built_in', 'hers', 'mine', 'ours'])
})

test('every change is announced once, with a growing revision', () => {
  const registry = new ToolRegistry()
  const changes: unknown[] = []
  const stop = registry.on('changed', (change) => changes.push(change))
  registry.register(tool('echo'))
  registry.replace(tool('echo'))
  registry.unregister('echo')
  stop()
  registry.register(tool('echo'))
  expect(changes).toEqual([
    { type: 'registered', name: 'echo', revision: 1 },
    { type: 'replaced', name: 'echo', revision: 2 },
    { type: 'unregistered', name: 'echo', revision: 3 },
  ])
})

test('a change made by a listener is announced after the one that it heard of', () => {
  const registry = new ToolRegistry()
  const heard: unknown[] = []
  registry.on('changed', ({ name }) => {
    if (name === 'first') registry.register(tool('second'))
  })
  registry.on('changed', ({ name, revision }) => heard.push([name, revision]))
  registry.register(tool('first'))
  expect(heard).toEqual([
    ['first', 1],
    ['second', 2],
  ])
})

test('a listener added by a listener hears of later changes only', () => {
  const registry = new ToolRegistry()
  const late = vi.fn()
  registry.on('changed', () => registry.on('changed', late))
  registry.register(tool('first'))
  expect(late).not.toHaveBeenCalled()
  registry.register(tool('second'))
  expect(late).toHaveBeenCalledTimes(1)
})

test('a listener that throws neither stops the change nor the other listeners', () => {
  const error = vi.fn<Logger['error']>()
  const registry = new ToolRegistry({
    logger: { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error },
  })
  const second = vi.fn()
  registry.on('changed', () => {
    throw new Error('listener broke')
  })
  registry.on('changed', second)
  registry.register(tool('echo'))
  expect(registry.has('echo')).toBe(true)
  expect(second).toHaveBeenCalledTimes(1)
  expect(error).toHaveBeenCalledWith(expect.objectContaining({ name: 'echo' }), expect.any(String))
})

test('100,000 tools register and each is found', () => {
  const registry = new ToolRegistry()
  for (let index = 0; index < 100_000; index += 1) registry.register(tool(`tool_${index}`))
  expect(registry.count()).toBe(100_000)
  expect(registry.get('tool_99999')?.name).toBe('tool_99999')
  expect(registry.get('tool_100000')).toBeUndefined()
})

test.for(['__proto__', 'constructor', 'toString', 'then', 'hasOwnProperty'])(
  'the inherited name %s is neither found nor accepted',
  (name) => {
    const registry = new ToolRegistry()
    expect(registry.get(name)).toBeUndefined()
    expect(registry.has(name)).toBe(false)
    expect(() => registry.register(tool(name))).toThrowError(
      expect.objectContaining({ code: 'TOOL_NAME_INVALID' }),
    )
  },
)

test.for([
  '',
  'a b',
  'a.b',
  'ä',
  'a/b',
  'a'.repeat(65),
  'a\u0000b',
  '\u202Eabc',
  5,
  null,
  undefined,
])('the name %j is refused', (name) => {
  const registry = new ToolRegistry()
  expect(() => registry.register({ ...tool('x'), name: name as string })).toThrowError(
    expect.objectContaining({ code: 'TOOL_NAME_INVALID' }),
  )
})

test('a name of 64 characters is accepted', () => {
  const registry = new ToolRegistry()
  registry.register(tool('a'.repeat(64)))
  expect(registry.count()).toBe(1)
})

test.for([
  ['description', ''],
  ['description', 'x'.repeat(16_385)],
  ['inputSchema', 'object'],
  ['inputSchema', null],
  ['inputSchema', []],
  ['outputSchema', 5],
  ['timeoutMs', 0],
  ['timeoutMs', -1],
  ['timeoutMs', Number.NaN],
  ['timeoutMs', 2_147_483_648],
  ['maxInputBytes', 0],
  ['maxInputBytes', Number.NaN],
  ['maxInputBytes', '1000'],
  ['maxOutputBytes', 0],
  ['maxConcurrent', 0],
  ['risk', 'none'],
  ['execute', 'rm -rf'],
  ['timeoutMs', Object.create(null)],
  ['source', 'made'],
  ['source', { type: 'Made', owner: 'alice', visibility: 'owner' }],
  ['source', { type: 'made', owner: 'alice', visibility: 'private' }],
] as const)('a definition with %s of %j is refused, and the field is named', ([field, value]) => {
  const registry = new ToolRegistry()
  const definition = { ...tool('broken'), [field]: value } as ToolDefinition
  expect(() => registry.register(definition)).toThrowError(
    expect.objectContaining({ code: 'TOOL_DEFINITION_INVALID', data: { name: 'broken', field } }),
  )
})
