import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInvoker } from '@toolcrib/invoke'
import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import { ToolRegistry } from '@toolcrib/registry'
import { createMemoryTrust, sealStatement, signDecision } from '@toolcrib/toolsmaker'
import { describe, expect, test } from 'vitest'
// @boundaries-ignore tests of the packages share what sets the scene
import { createAdderKind } from '../../toolsmaker/test/adder-kind.ts'
// @boundaries-ignore tests of the packages share what sets the scene
import {
  type Workshop,
  agent,
  callTool,
  codeOf,
  makeFolder,
  makeSigner,
  openFolder,
  openWorkshop,
  otherAgent,
  readEvents,
  rewriteStore,
} from '../../toolsmaker/test/bench-of-tests.ts'
import { dataOf, hostTool, kinds, propose, untriedOf } from './prompt-corpus.ts'

describe('the record', () => {
  const grace = makeSigner('grace')
  const approvers = [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }]
  const person = { kind: 'code', definition: { source: 'export default () => 1' } }

  async function waiting(): Promise<Workshop> {
    const workshop = await openWorkshop({ kinds, grace })
    await propose(person, workshop)
    return workshop
  }

  test('pr-caps-escalate', async () => {
    const { v1, v2 } = dataOf('pr-caps-escalate') as Record<
      string,
      { capabilities: string[]; domains?: string[] }
    >
    const policy = createMemoryTrust({
      approvers,
      policy: {
        rules: [
          {
            id: 'readers',
            kinds: ['compute'],
            capabilities: ['fs_read'],
            maxRisk: 'high',
            newToolsOnly: false,
            visibility: 'shared',
          },
        ],
      },
    })
    const workshop = await openWorkshop({ kinds, trust: policy, grace })
    const files = { allowedPaths: ['data'] }
    expect(await propose({ ...v1, ...files }, workshop)).toBe('activated')
    const second = { capabilities: v2?.capabilities, allowedDomains: v2?.domains, ...files }
    expect(await propose(second, workshop)).toBe('approval_required')
    const review = await workshop.maker.readReview('plus_some', 2)
    expect(review?.newPowers.join()).toContain('evil.test')
    expect(workshop.maker.activeVersions()).toEqual({ plus_some: 1 })
  })

  test('pr-approve-then-swap', async () => {
    dataOf('pr-approve-then-swap')
    const folder = await makeFolder()
    try {
      const trust = createMemoryTrust({ approvers })
      const first = await openWorkshop({
        kinds,
        trust,
        grace,
        store: await openFolder(folder.path),
      })
      await propose(person, first)
      await first.maker.approveTool('plus_some', 1, { signer: grace })
      await first.maker.close()
      const events = await readEvents(folder.path)
      for (const event of events)
        if (event.type === 'tool_build_generated')
          Object.assign(event.content, { definition: { source: 'evil()' } })
      await rewriteStore(folder.path, events)
      const second = await openWorkshop({
        kinds,
        trust,
        grace,
        store: await openFolder(folder.path),
      })
      const activation = second.maker.activateToolVersion('plus_some', 1, { signer: grace })
      expect(await codeOf(activation)).toBe('TOOL_TAMPERED')
      expect(second.registry.count()).toBe(0)
      await second.maker.close()
    } finally {
      await folder.remove()
    }
  })

  test('pr-replay-approval', async () => {
    dataOf('pr-replay-approval')
    const workshop = await waiting()
    const { maker } = workshop
    const wanted = { action: 'approve', name: 'plus_some', version: 1, approver: 'grace' } as const
    const decision = await signDecision(await maker.prepareDecision(wanted), grace)
    await maker.approveTool('plus_some', 1, { decision })
    await propose({ ...person, definition: { source: 'export default () => 2' } }, workshop)
    expect(await codeOf(maker.approveTool('plus_some', 2, { decision }))).toBe('DECISION_INVALID')
    expect(await codeOf(maker.activateToolVersion('plus_some', 2, { decision }))).toMatch(
      /DECISION_INVALID|TRANSITION_REFUSED/,
    )
    const [{ keyid: keyId, sig: signature }] = decision.signatures
    const signed = Buffer.from(decision.payload, 'base64').toString()
    const statement = { ...(JSON.parse(signed) as object), version: 2 }
    const changed = sealStatement(decision.payloadType, { statement, keyId, signature })
    expect(await codeOf(maker.approveTool('plus_some', 2, { decision: changed }))).toBe(
      'DECISION_INVALID',
    )
    expect(maker.listVersions('plus_some')[1]?.status).toBe('approval_required')
  })

  test('an approval is for one namespace, one end and one hash, never for a name', async () => {
    const [here, there] = [await waiting(), await waiting()]
    const wanted = { action: 'approve', name: 'plus_some', version: 1, approver: 'grace' } as const
    const statement = await here.maker.prepareDecision(wanted)
    for (const change of [
      { namespace: 'elsewhere' },
      { contentHash: '0'.repeat(64) },
      { contentHash: undefined },
      { version: undefined },
      { expiresAt: here.clock.now - 1 },
    ]) {
      const changed = JSON.parse(JSON.stringify({ ...statement, ...change })) as typeof statement
      const decision = await signDecision(changed, grace)
      expect(
        await codeOf(there.maker.approveTool('plus_some', 1, { decision })),
        JSON.stringify(change),
      ).toMatch(/DECISION_INVALID|APPROVAL_EXPIRED|REQUEST_INVALID/)
    }
    const late = await signDecision({ ...statement, expiresAt: here.clock.now + 1_000 }, grace)
    here.clock.now += 2_000
    expect(await codeOf(here.maker.approveTool('plus_some', 1, { decision: late }))).toBe(
      'APPROVAL_EXPIRED',
    )
    expect(here.maker.listVersions()[0]?.status).toBe('approval_required')
  })

  test('pr-skip-state', async () => {
    dataOf('pr-skip-state')
    const { maker } = await waiting()
    const skip = maker.activateToolVersion('plus_some', 1, { signer: grace })
    expect(await codeOf(skip)).toBe('TRANSITION_REFUSED')
    const byRule = maker.activateToolVersion('plus_some', 1, { byRule: true })
    expect(await codeOf(byRule)).toBe('TRANSITION_REFUSED')
    const rejected = await openWorkshop({ kinds, grace })
    await propose({ ...person, description: 'Adds\u202E' }, rejected)
    expect(await codeOf(rejected.maker.approveTool('plus_some', 1, { signer: grace }))).toBe(
      'TRANSITION_REFUSED',
    )
  })

  test.each<[string, (lines: string[]) => string[]]>([
    ['removed', (lines) => lines.filter((_line, index) => index !== 2)],
    ['removed at the end', (lines) => lines.slice(0, -1)],
    [
      'edited',
      (lines) =>
        lines.map((line, at) => (at === 1 ? line.replace('plus_some', 'plus_same') : line)),
    ],
    ['put twice', (lines) => [...lines.slice(0, 3), ...lines.slice(2)]],
    [
      'put in another order',
      (lines) => [lines[0] ?? '', lines[2] ?? '', lines[1] ?? '', ...lines.slice(3)],
    ],
    ['replaced by nothing', () => []],
  ])('pr-audit-edit: a line that was %s is found', async (_how, change) => {
    dataOf('pr-audit-edit')
    const folder = await makeFolder()
    try {
      const trust = createMemoryTrust({ approvers })
      const first = await openWorkshop({
        kinds,
        trust,
        grace,
        store: await openFolder(folder.path),
      })
      await propose({}, first)
      await first.maker.close()
      const log = join(folder.path, 'store', 'audit.jsonl')
      const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line !== '')
      const changed = change(lines)
      await writeFile(log, changed.map((line) => `${line}\n`).join(''))
      const second = await openWorkshop({
        kinds,
        trust,
        grace,
        store: await openFolder(folder.path),
      })
      expect(await second.maker.verifyAudit()).toMatchObject({ ok: false })
      await second.maker.close()
    } finally {
      await folder.remove()
    }
  })

  test('pr-confused-deputy', async () => {
    const { output } = dataOf('pr-confused-deputy')
    const registry = new ToolRegistry()
    const seen: unknown[] = []
    registry.register({
      ...hostTool('http_post'),
      execute: (_input, _signal, { callerPolicy, principal }) => {
        seen.push([callerPolicy, principal])
        return 'sent'
      },
    })
    const kind = createAdderKind({ compile: () => ({ execute: async () => output }) })
    const workshop = await openWorkshop({ kinds: [kind], registry })
    await propose({}, workshop)
    const invoker = createInvoker({
      registry,
      log: createMemoryCallLog(),
      checkCallable: (tool, principal) => workshop.maker.checkCallable(tool, principal),
    })
    const result = await invoker.invoke('plus_some', { value: 1 }, { principal: agent })
    // What a tool says is text for its caller; it calls nothing, and whoever obeys calls with the own powers.
    expect(result).toMatchObject({ success: true, output })
    expect(seen).toEqual([])
    await invoker.invoke('http_post', {}, { principal: agent })
    expect(seen).toEqual([[undefined, agent]])
    const theirs = await invoker.invoke('plus_some', {}, { principal: otherAgent })
    expect(theirs).toMatchObject({ success: false, errorCode: 'TOOL_NOT_FOUND' })
    expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(output)
  })
})

test('every case of the corpus about this was tried', () => {
  expect(untriedOf('registry', 'result')).toEqual([])
})
