import type { ToolIntent } from '@toolcrib/toolsmaker'
import { expect, test } from 'vitest'
import { adderIntent, agent, callTool, codeOf, openWorkshop, otherAgent } from './bench-of-tests.ts'

const granting =
  /approve|activat(?!ed)|rollback|unrevoke|share|resume|policy|trust|sign|decision|store|engine/i

/** Every value that can be reached from one, over properties, accessors and prototypes, without calling anything. */
function reach(root: unknown): Map<object, string> {
  const seen = new Map<object, string>()
  const visit = (value: unknown, path: string): void => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return
    if (seen.has(value)) return
    seen.set(value, path)
    for (const key of Reflect.ownKeys(value)) {
      const descriptor = Reflect.getOwnPropertyDescriptor(value, key)
      visit(descriptor?.value, `${path}.${String(key)}`)
      visit(descriptor?.get, `${path}.get ${String(key)}`)
      visit(descriptor?.set, `${path}.set ${String(key)}`)
    }
    visit(Reflect.getPrototypeOf(value), `${path}.[[Prototype]]`)
  }
  visit(root, 'agent')
  return seen
}

test('nothing that grants a power can be reached from what an agent holds', async () => {
  const { maker } = await openWorkshop()
  const surface = maker.forAgent(agent)
  expect(Object.isFrozen(surface)).toBe(true)
  expect(Object.keys(surface).toSorted()).toEqual([
    'buildTool',
    'buildToolFromIntent',
    'deactivate',
    'get',
    'list',
    'principal',
    'readReview',
    'snapshotTools',
    'withdraw',
  ])
  const language = reach([{}, Object, Function, Symbol, Promise, Array, (async () => 0)()])
  const own = [...reach(surface)].filter(([value]) => !language.has(value))
  expect(own.length).toBeGreaterThan(9)
  expect(own.filter(([, path]) => granting.test(path.replace('deactivate', '')))).toEqual([])
  const outcome = await surface.buildToolFromIntent(adderIntent({ risk: 'high' }))
  const results = [
    outcome,
    surface.get('plus_some', 1),
    surface.list(),
    await surface.readReview('plus_some', 1),
  ]
  for (const result of results)
    for (const [value] of reach(result))
      expect(typeof value === 'function' && !language.has(value)).toBe(false)
})

test('what an agent changes in what it was given changes nothing', async () => {
  const workshop = await openWorkshop()
  const { maker } = workshop
  const ada = maker.forAgent(agent)
  const outcome = await ada.buildToolFromIntent(adderIntent())
  const attempt = (change: () => void): void => {
    try {
      change()
    } catch {
      // Frozen is as good as ignored.
    }
  }
  attempt(() => Object.assign(outcome.spec, { definition: { add: 666 } }))
  attempt(() => Object.assign(outcome.spec.definition as object, { add: 666 }))
  attempt(() => Object.assign(ada.get('plus_some')?.spec.definition ?? {}, { add: 666 }))
  attempt(() => Object.assign(ada.principal, { id: 'bob', kind: 'person' }))
  attempt(() => Object.assign(ada, { principal: { kind: 'person', id: 'grace' } }))
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)
  expect(maker.getSpec('plus_some', 1)?.definition).toEqual({ add: 1 })
  expect(ada.principal).toEqual({ kind: 'agent', id: 'ada' })
  expect(await maker.loadActiveTools()).toMatchObject({ registered: 1, refused: [] })
})

test('an intent that is changed after the call is on record as it was', async () => {
  const { maker } = await openWorkshop()
  const definition = { add: 1 }
  const examples = [{ input: { value: 1 }, expected: 2 }]
  const intent = { ...adderIntent(), definition, examples, capabilities: [] as string[] }
  const building = maker.forAgent(agent).buildToolFromIntent(intent as unknown as ToolIntent)
  definition.add = 666
  examples[0] = { input: { value: 1 }, expected: 667 }
  intent.name = 'evil_name'
  intent.capabilities.push('http')
  const { spec, status } = await building
  expect(status).toBe('activated')
  expect(spec).toMatchObject({ name: 'plus_some', definition: { add: 1 }, capabilities: [] })
})

test('getters and proxies are read once, so they cannot show one thing and record another', async () => {
  const { maker } = await openWorkshop()
  let reads = 0
  const intent = {
    ...adderIntent(),
    get definition() {
      reads += 1
      return { add: reads }
    },
  }
  const built = await maker.forAgent(agent).buildToolFromIntent(intent)
  expect(built.spec.definition).toEqual({ add: 1 })
  let turns = 0
  const proxy = new Proxy(adderIntent({ name: 'proxied_sum' }), {
    get(target, key) {
      if (key === 'risk') turns += 1
      return Reflect.get(target, key) as unknown
    },
  })
  expect((await maker.forAgent(agent).buildToolFromIntent(proxy)).status).toBe('activated')
  expect(turns).toBeLessThanOrEqual(1)
})

test('hostile intents are refused with a typed error and leave nothing behind', async () => {
  const { maker } = await openWorkshop()
  const ada = maker.forAgent(agent)
  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic
  const throwing = Object.defineProperty({ ...adderIntent() }, 'purpose', {
    enumerable: true,
    get() {
      throw new Error('boom')
    },
  })
  const trap = new Proxy(
    {},
    {
      ownKeys() {
        throw new Error('boom')
      },
    },
  )
  const hostile: unknown[] = [
    null,
    undefined,
    7,
    'text',
    [],
    () => 1,
    new Map(),
    new (class Intent {})(),
    trap,
    throwing,
    { ...adderIntent(), definition: cyclic },
    { ...adderIntent(), definition: { add: Number.NaN } },
    { ...adderIntent(), definition: { add: 1n } },
    { ...adderIntent(), definition: () => 1 },
    { ...adderIntent(), definition: { text: '\ud800' } },
    { ...adderIntent(), definition: JSON.parse('{"__proto__":{"add":1}}') as unknown },
    JSON.parse(
      '{"__proto__":{"name":"x"},"name":"plus_some","purpose":"x","definition":{"add":1}}',
    ),
    { ...adderIntent(), unknown: 1 },
    { ...adderIntent(), owner: 'grace' },
    { ...adderIntent(), status: 'activated' },
    { ...adderIntent(), inputs: { value: { type: 'text' } } },
    { ...adderIntent(), inputs: JSON.parse('{"__proto__":{"type":"number"}}') as unknown },
    { ...adderIntent(), inputs: { type: 'object', $ref: 'https://example.com/schema' } },
    { ...adderIntent(), inputs: { type: 'object', properties: { a: { pattern: '(a+)+$' } } } },
    { ...adderIntent(), inputs: { type: 'array' } },
    { ...adderIntent(), name: 'x'.repeat(65) },
    { ...adderIntent(), name: '../evil' },
    { ...adderIntent(), name: '__proto__' },
    { ...adderIntent(), name: 'constructor' },
    { ...adderIntent(), capabilities: ['root'] },
    { ...adderIntent(), capabilities: ['http', 'http'] },
    { ...adderIntent(), kind: '../../evil' },
    { ...adderIntent(), kind: 'toString' },
    { ...adderIntent(), definition: Array.from({ length: 100_001 }, () => 1) },
  ]
  const refusals = /^(INTENT_INVALID|REQUEST_INVALID|TOOL_NAME_NOT_MEANINGFUL|TOOL_KIND_UNKNOWN)$/
  for (const [index, intent] of hostile.entries()) {
    expect(await codeOf(ada.buildToolFromIntent(intent as ToolIntent)), `${index}`).toMatch(
      refusals,
    )
    expect(await codeOf(ada.buildTool(intent as never)), `request ${index}`).toMatch(refusals)
  }
  expect(maker.listVersions()).toEqual([])
  expect(Object.prototype).not.toHaveProperty('add')
})

test('an agent reads, withdraws and stops what is its own, and learns nothing of the rest', async () => {
  const workshop = await openWorkshop()
  const { maker } = workshop
  const ada = maker.forAgent(agent)
  const bob = maker.forAgent(otherAgent)
  await ada.buildToolFromIntent(adderIntent())
  await ada.buildToolFromIntent(adderIntent({ definition: { add: 2 } }))
  expect(bob.get('plus_some')).toBeUndefined()
  expect(bob.get('plus_some', 2)).toBeUndefined()
  expect(await bob.readReview('plus_some', 2)).toBeUndefined()
  expect(await codeOf(bob.withdraw('plus_some', 2))).toBe('VERSION_NOT_FOUND')
  expect(await codeOf(bob.deactivate('plus_some'))).toBe('TOOL_NOT_OWNED')
  expect(await codeOf(bob.withdraw(undefined as never, 1))).toBe('VERSION_NOT_FOUND')
  expect(await codeOf(ada.withdraw('plus_some', 1))).toBe('TRANSITION_REFUSED')
  expect(await ada.withdraw('plus_some', 2)).toMatchObject({ status: 'rejected' })
  expect(await ada.deactivate('plus_some')).toMatchObject({ status: 'deactivated' })
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('not registered')
  expect(await codeOf(ada.deactivate('plus_some'))).toBe('TRANSITION_REFUSED')
  expect(ada.list()).toMatchObject([{ name: 'plus_some', version: 2, status: 'rejected' }])
})

test('a principal must be one', async () => {
  const { maker } = await openWorkshop()
  for (const principal of [
    { kind: 'root', id: 'x' },
    { kind: 'agent', id: '' },
    { kind: 'agent', id: 'x'.repeat(201) },
    { kind: 'agent', id: 7 },
  ])
    expect(() => maker.forAgent(principal as never)).toThrow('principal needs')
  expect(maker.forAgent({ kind: 'agent', id: 'x'.repeat(200) }).principal.id).toHaveLength(200)
})

test('an agent that bears the id of a person or a service owns nothing of theirs', async () => {
  const { maker } = await openWorkshop()
  const person = { kind: 'person', id: 'ada' } as const
  await maker.forAgent(person).buildToolFromIntent(adderIntent({ risk: 'high' }))
  const impostor = maker.forAgent({ kind: 'agent', id: 'ada' })
  expect(impostor.list()).toEqual([])
  expect(impostor.get('plus_some', 1)).toBeUndefined()
  expect(await codeOf(impostor.withdraw('plus_some', 1))).toBe('VERSION_NOT_FOUND')
  expect(await codeOf(impostor.buildToolFromIntent(adderIntent()))).toBe('TOOL_NOT_OWNED')
  expect(maker.forAgent(person).list()).toMatchObject([{ owner: 'person:ada' }])
})

test('an agent takes back no proposal that somebody else made for its tool', async () => {
  const { maker } = await openWorkshop()
  const ada = maker.forAgent(agent)
  await ada.buildToolFromIntent(adderIntent())
  const bob = { kind: 'person', id: 'bob' } as const
  await maker.buildToolFromIntent(adderIntent({ definition: { add: 5 } }), { principal: bob })
  expect(await codeOf(ada.withdraw('plus_some', 2))).toBe('TOOL_NOT_OWNED')
  expect(maker.listPending()).toMatchObject([{ name: 'plus_some', version: 2 }])
})

test('an agent learns nothing of what another one keeps to itself by naming it as a callee', async () => {
  const { maker } = await openWorkshop()
  await maker.forAgent(agent).buildToolFromIntent(adderIntent({ name: 'payroll_export' }))
  const report = async (callee: string): Promise<unknown> => {
    const bob = maker.forAgent(otherAgent)
    const name = `plus_${callee}`
    const built = await bob.buildToolFromIntent(adderIntent({ name, callees: [callee] }))
    expect(built.spec.callees).toEqual([{ name: callee, hash: null }])
    return JSON.parse(
      JSON.stringify([built.report.checks, built.message]).replaceAll(callee, 'it'),
    ) as unknown
  }
  expect(await report('payroll_export')).toEqual(await report('nothing_here'))
  const own = await maker
    .forAgent(agent)
    .buildToolFromIntent(adderIntent({ name: 'own_total', callees: ['payroll_export'] }))
  expect(own.spec.callees).toMatchObject([{ hash: expect.any(String) as string }])
})
