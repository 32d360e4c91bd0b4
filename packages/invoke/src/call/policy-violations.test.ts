import { createRedactor } from '@toolcrib/redaction'
import { ToolError, type ToolContext } from '@toolcrib/registry'
import { describe, expect, test } from 'vitest'
import { createGate, createHarness, settleMicrotasks } from '../../test/harness.ts'
import type { InvokerOptions } from '../invoker-options.ts'
import type { PolicyViolationReport } from './policy-violations.ts'

const principal = { kind: 'agent', id: 'ada' } as const

function violation(message = 'Refused: read "/etc/passwd".'): ToolError {
  return new ToolError('POLICY_VIOLATION', message, {
    data: { rule: 'fs.path', tried: 'read "/etc/passwd"' },
  })
}

function createListening(options: Partial<InvokerOptions> = {}) {
  const reports: PolicyViolationReport[] = []
  const harness = createHarness({
    onPolicyViolation: (report) => void reports.push(report),
    ...options,
  })
  return { ...harness, reports }
}

describe('a call that ends with a policy violation', () => {
  test('is reported once, before its result is handed out', async () => {
    const { invoker, reports, add } = createListening()
    add('file', () => {
      throw violation()
    })
    const result = await invoker.invoke('file', {}, { principal })
    expect(result).toMatchObject({ errorCode: 'POLICY_VIOLATION' })
    expect(reports).toEqual([
      {
        toolName: 'file',
        callId: result.callId,
        principal,
        callers: [],
        message: 'Refused: read "/etc/passwd".',
        data: { rule: 'fs.path', tried: 'read "/etc/passwd"' },
      },
    ])
  })

  test('is reported once when it was refused before it ran', async () => {
    const { invoker, reports, add } = createListening({
      checkCallable: () => ({ code: 'POLICY_VIOLATION', message: 'Not for you.' }),
    })
    add('file', () => 1)
    const { callId } = await invoker.invoke('file', {}, { principal })
    expect(reports).toMatchObject([{ toolName: 'file', callId, callers: [], principal }])
    expect(reports[0]?.message).toContain('Not for you.')
  })

  test('reports its own violation only, with the tools through which it came', async () => {
    const { invoker, reports, add } = createListening()
    add('outer', async (_input, _signal, { invoke }) => {
      const result = await invoke('middle', {})
      if (!result.success) throw new ToolError('POLICY_VIOLATION', 'passed on')
    })
    add('middle', async (_input, _signal, { invoke }) => (await invoke('inner', {})).success)
    add('inner', () => {
      throw violation('inmost')
    })
    add('passes_on', async (_input, _signal, { invoke }) => {
      await invoke('inner', {})
      throw new ToolError('POLICY_VIOLATION', 'passed on')
    })
    await invoker.invoke('outer', {}, { principal })
    expect(reports.map(({ toolName, callers, message }) => [toolName, callers, message])).toEqual([
      ['inner', ['outer', 'middle'], 'inmost'],
    ])
    await invoker.invoke('passes_on', {}, { principal })
    expect(
      reports.slice(1).map(({ toolName, callers, message }) => [toolName, callers, message]),
    ).toEqual([
      ['inner', ['passes_on'], 'inmost'],
      ['passes_on', [], 'passed on'],
    ])
  })

  test('is not reported when it ends otherwise', async () => {
    const { invoker, reports, add } = createListening()
    add('fails', () => {
      throw new ToolError('FILE_NOT_FOUND', 'There is no such file.')
    })
    add('works', () => violation())
    await invoker.invoke('fails', {})
    await invoker.invoke('works', {})
    await invoker.invoke('nothing', {})
    expect(reports).toEqual([])
  })

  test('is reported too when its tool throws only after the deadline', async () => {
    const { invoker, reports, add } = createListening()
    const gate = createGate()
    add('late', async () => {
      await gate.opened
      throw violation('too late')
    })
    add('at_the_signal', (_input, signal) => {
      const { promise, reject } = Promise.withResolvers()
      signal.addEventListener('abort', () => reject(violation('at the signal')))
      return promise
    })
    expect(await invoker.invoke('late', {}, { timeoutMs: 1 })).toMatchObject({
      errorCode: 'TIMEOUT',
    })
    expect(await invoker.invoke('at_the_signal', {}, { timeoutMs: 1 })).toMatchObject({
      errorCode: 'TIMEOUT',
    })
    gate.open()
    await settleMicrotasks()
    expect(reports.map(({ message }) => message)).toEqual(['at the signal', 'too late'])
  })
})

describe('a violation that a tool reports', () => {
  test('is passed on although the call succeeds, also by a function taken out of the context', async () => {
    const { invoker, reports, add } = createListening()
    add('sandbox', (_input, _signal, { reportViolation }) => {
      reportViolation(violation('caught by the guest'))
      return 'done'
    })
    const result = await invoker.invoke('sandbox', {}, { principal })
    expect(result).toMatchObject({ success: true, output: 'done' })
    expect(reports).toMatchObject([
      { callId: result.callId, toolName: 'sandbox', principal, message: 'caught by the guest' },
    ])
  })

  test('counts once, also when it is thrown in the end', async () => {
    const { invoker, reports, add } = createListening()
    add('sandbox', (_input, _signal, context) => {
      const error = violation()
      context.reportViolation(error)
      context.reportViolation(error)
      throw error
    })
    expect(await invoker.invoke('sandbox', {})).toMatchObject({ errorCode: 'POLICY_VIOLATION' })
    expect(reports).toHaveLength(1)
  })

  test('is ignored when it is none, whatever it is', async () => {
    const { invoker, reports, lines, add } = createListening()
    add('sandbox', (_input, _signal, context) => {
      const hostile = new Proxy(
        {},
        {
          get: () => {
            throw new Error('no')
          },
        },
      )
      for (const value of [undefined, null, 'POLICY_VIOLATION', 5, new Error('x'), hostile])
        context.reportViolation(value)
      return 1
    })
    expect(await invoker.invoke('sandbox', {})).toMatchObject({ success: true })
    expect(reports).toEqual([])
    expect(lines).toEqual([])
  })

  test('is passed on up to a hundred times a call, and when the call is over', async () => {
    const { invoker, reports, add } = createListening()
    let context: ToolContext | undefined
    add('sandbox', (_input, _signal, given) => {
      context = given
      for (let count = 0; count < 99; count += 1) given.reportViolation(violation(`${count}`))
    })
    await invoker.invoke('sandbox', {})
    expect(reports).toHaveLength(99)
    context?.reportViolation(violation('afterwards'))
    context?.reportViolation(violation('one too many'))
    expect(reports.map(({ message }) => message).slice(98)).toEqual(['98', 'afterwards'])
  })
})

test('the violation that ends a call is reported, however many were before it', async () => {
  const { invoker, reports, add } = createListening()
  add('sandbox', (_input, _signal, { reportViolation }) => {
    for (let count = 0; count < 150; count += 1) reportViolation(violation('noise'))
    throw violation('the one that counts')
  })
  await invoker.invoke('sandbox', {})
  expect(reports).toHaveLength(101)
  expect(reports.at(-1)).toMatchObject({ message: 'the one that counts' })
})

test('data that cannot be read is left out of a report', async () => {
  const { invoker, reports, add } = createListening()
  const hostile = [
    {
      get rule(): string {
        throw new Error('no')
      },
    },
    {
      toJSON: () => {
        throw new Error('no')
      },
    },
    { toJSON: () => 'text' },
    [1, 2],
    { large: 'x'.repeat(70_000) },
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no')
        },
      },
    ),
  ]
  add('sandbox', (_input, _signal, { reportViolation }) => {
    for (const data of hostile)
      reportViolation(new ToolError('POLICY_VIOLATION', 'tried', { data }))
  })
  await invoker.invoke('sandbox', {})
  expect(reports.map(({ message }) => message)).toEqual(hostile.map(() => 'tried'))
  for (const report of reports) expect(report).not.toHaveProperty('data')
})

test('no secret is in a report', async () => {
  const secret = 'sk-live-4711'
  const { invoker, reports, add } = createListening({
    redactor: createRedactor({ secrets: [secret] }),
  })
  add('http', (_input, _signal, { reportViolation }) => {
    const error = new ToolError('POLICY_VIOLATION', `sent ${secret}`, {
      data: {
        tried: `GET https://a.example/?key=${secret}`,
        deep: { [secret]: btoa(`u:${secret}`) },
      },
    })
    reportViolation(error)
    throw new ToolError('POLICY_VIOLATION', error.message, { data: error.data })
  })
  await invoker.invoke('http', {})
  expect(reports).toHaveLength(2)
  expect(reports[0]).toMatchObject({
    message: 'sent [redacted]',
    data: { tried: 'GET https://a.example/?key=[redacted]' },
  })
  const text = JSON.stringify(reports)
  expect(text).not.toContain('4711')
  expect(text).not.toContain(btoa(`u:${secret}`).slice(4, 12))
})

test.each([
  [
    'throws',
    () => {
      throw new Error('audit is down')
    },
  ],
  ['rejects', (): unknown => Promise.reject(new Error('audit is down'))],
])('a listener that %s is logged and harms no call', async (_, onPolicyViolation) => {
  const { invoker, lines, add } = createHarness({ onPolicyViolation })
  add('file', (_input, _signal, { reportViolation }) => {
    reportViolation(violation())
    throw violation()
  })
  expect(await invoker.invoke('file', {})).toMatchObject({ errorCode: 'POLICY_VIOLATION' })
  await settleMicrotasks()
  expect(lines.filter(({ message }) => message.includes('policy violation'))).toHaveLength(2)
})

test('nobody needs to listen', async () => {
  const { invoker, add } = createHarness()
  add('file', (_input, _signal, { reportViolation }) => {
    reportViolation(violation())
    throw violation()
  })
  expect(await invoker.invoke('file', {})).toMatchObject({ errorCode: 'POLICY_VIOLATION' })
})
