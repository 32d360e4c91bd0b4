import { createHash, createPublicKey, verify } from 'node:crypto'
import {
  type SignedDecision,
  createMemoryEventStore,
  createMemoryTrust,
  signDecision,
} from '@toolcrib/toolsmaker'
import { describe, expect, test } from 'vitest'
import {
  type Workshop,
  adderIntent,
  agent,
  callTool,
  codeOf,
  makeSigner,
  openWorkshop,
} from './bench-of-tests.ts'

const two = { name: 'plus_some', version: 2, approver: 'grace' } as const

/** `plus_some` v1 in use, v2 waiting for a person. */
async function waiting(options: Parameters<typeof openWorkshop>[0] = {}): Promise<Workshop> {
  const workshop = await openWorkshop(options)
  const ada = workshop.maker.forAgent(agent)
  await ada.buildToolFromIntent(adderIntent())
  await ada.buildToolFromIntent(adderIntent({ definition: { add: 2 } }))
  return workshop
}

const approve = (maker: Workshop['maker'], decision: SignedDecision): Promise<unknown> =>
  maker.approveTool('plus_some', 2, { decision })

describe('a signed statement', () => {
  test('is an envelope of DSSE that anybody can verify with the public key alone', async () => {
    const { maker, grace } = await waiting()
    const statement = await maker.prepareDecision({ action: 'approve', ...two })
    const envelope = await signDecision(statement, grace)
    expect(Object.keys(envelope).toSorted()).toEqual(['payload', 'payloadType', 'signatures'])
    const { payload, payloadType, signatures } = envelope
    expect(payloadType).toBe('application/vnd.toolcrib.decision.v2+json')
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: grace.publicKey },
      format: 'jwk',
    })
    const body = Buffer.from(payload, 'base64')
    expect(JSON.parse(body.toString())).toEqual(statement)
    const encoded = `DSSEv1 ${payloadType.length} ${payloadType} ${body.length} ${body.toString()}`
    const [signature] = signatures
    expect(verify(null, Buffer.from(encoded), key, Buffer.from(signature.sig, 'base64'))).toBe(true)
    const spki = key.export({ format: 'der', type: 'spki' })
    expect(signature.keyid).toBe(createHash('sha256').update(spki).digest('hex'))
  })

  test('names store, report, proposer and limits beside what is decided', async () => {
    const { maker } = await waiting()
    const statement = await maker.prepareDecision({ action: 'approve', ...two })
    expect(statement).toMatchObject({
      store: expect.stringMatching(/^[0-9a-f]{64}$/),
      reportHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      proposer: 'agent:ada',
      limits: {},
      namespace: 'default',
      kind: 'compute',
    })
  })

  test('made for one host is worth nothing on another with the same namespace and the same approver', async () => {
    const grace = makeSigner('grace')
    const here = await waiting({ grace })
    const there = await waiting({ grace })
    const action = 'approve_and_activate'
    const statement = await here.maker.prepareDecision({ action, ...two })
    const decision = await signDecision(statement, grace)
    expect(await codeOf(approve(there.maker, decision))).toBe('DECISION_INVALID')
    expect(await callTool(there, 'plus_some', { value: 1 })).toBe(2)
    await approve(here.maker, decision)
    expect(await callTool(here, 'plus_some', { value: 1 })).toBe(3)
  })

  test('that ends the pause of one host does not end that of another', async () => {
    const grace = makeSigner('grace')
    const here = await waiting({ grace })
    const there = await waiting({ grace })
    for (const { maker } of [here, there]) await maker.pauseTools({ reason: 'look' })
    const statement = await here.maker.prepareDecision({ action: 'resume', approver: 'grace' })
    const decision = await signDecision(statement, grace)
    expect(await codeOf(there.maker.resumeTools({ decision }))).toBe('DECISION_INVALID')
    expect(there.maker.paused).toBeDefined()
    await here.maker.resumeTools({ decision })
    expect(here.maker.paused).toBeUndefined()
  })

  test('counts in one spelling only, whatever other spellings give the same bytes', async () => {
    const { maker, grace } = await waiting()
    const statement = await maker.prepareDecision({ action: 'approve', ...two })
    const decision = await signDecision(statement, grace)
    for (const spelled of respell(decision))
      expect(await codeOf(approve(maker, spelled)), JSON.stringify(spelled)).toBe(
        'DECISION_INVALID',
      )
    await approve(maker, decision)
  })

  test('counts only with the form of its version: what an earlier release signed is refused with a sentence', async () => {
    const { maker, grace } = await waiting()
    const statement = await maker.prepareDecision({ action: 'approve', ...two })
    const bytes = Buffer.from(`toolcrib/decision/v1\n${JSON.stringify(statement)}`)
    const signature = Buffer.from(await grace.sign(bytes)).toString('base64url')
    const earlier = { statement, signature } as unknown as SignedDecision
    await expect(approve(maker, earlier)).rejects.toMatchObject({
      code: 'DECISION_INVALID',
      message: expect.stringContaining('before version 2'),
    })
  })
})

/** The same bytes in other spellings: each base64 text with other unused bits, in the URL's alphabet, and with a blank. */
function respell(decision: SignedDecision): readonly SignedDecision[] {
  const spelled: SignedDecision[] = []
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const unused = (text: string): string =>
    text.replace(/([A-Za-z0-9+/_-])(=*)$/, (_all, last: string, padding: string) => {
      const index = alphabet.indexOf(last.replace('-', '+').replace('_', '/'))
      return `${alphabet[index ^ 1] ?? ''}${padding}`
    })
  const others: readonly ((text: string) => string)[] = [
    unused,
    (text) => `${text} `,
    (text) => text.replaceAll('=', ''),
    (text) => `${text}=`,
    (text) => text.replaceAll('+', '-').replaceAll('/', '_'),
  ]
  const text = JSON.stringify(decision)
  for (const match of text.matchAll(/"(?:signature|sig|payload)":"([^"]*)"/g)) {
    const [, found = ''] = match
    for (const other of others) {
      const changed = other(found)
      const isSame = Buffer.from(changed, 'base64').equals(Buffer.from(found, 'base64'))
      if (changed !== found && isSame)
        spelled.push(JSON.parse(text.replace(found, changed)) as SignedDecision)
    }
  }
  return spelled
}

test('two approvers cannot be one key, however it is spelled', async () => {
  const grace = makeSigner('grace')
  const store = createMemoryEventStore()
  const trust = createMemoryTrust({
    approvers: [
      { id: 'grace', name: 'Grace', publicKey: grace.publicKey },
      { id: 'heidi', name: 'Heidi', publicKey: grace.publicKey },
    ],
    policy: { requiredApprovals: 2 },
  })
  const { maker } = await openWorkshop({ store, trust, grace })
  await maker.forAgent(agent).buildToolFromIntent(adderIntent({ risk: 'high' }))
  await maker.approveTool('plus_some', 1, { signer: grace })
  const second = { ...grace, approverId: 'heidi' }
  expect(await codeOf(maker.approveTool('plus_some', 1, { signer: second }))).toBe(
    'FOUR_EYES_REQUIRED',
  )
})
