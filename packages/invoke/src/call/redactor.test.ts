import { createRedactor } from '@toolcrib/redaction'
import { contentOutput, isContentOutput } from '@toolcrib/registry'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createHarness, readOutput } from '../../test/harness.ts'

const secret = 'sk-live/"9\\Zé\n42'
const plainSecret = 'hunter2-hunter2'

function harnessWith(secrets: string[]): ReturnType<typeof createHarness> {
  return createHarness({
    redactor: createRedactor({ secrets }),
    previewBytes: 32,
    maxOutputBytes: 200,
  })
}

describe('a registered secret', () => {
  test.each([
    ['as the whole output', (value: string) => value],
    ['inside a text', (value: string) => `key is ${value}!`],
    ['as a key', (value: string) => ({ [value]: 1 })],
    ['inside a key', (value: string) => ({ [`x-${value}`]: { deep: value } })],
    ['in JSON in a text', (value: string) => JSON.stringify({ key: value })],
    [
      'in JSON in JSON in a text',
      (value: string) => JSON.stringify({ a: JSON.stringify([value]) }),
    ],
    [
      'with slashes escaped',
      (value: string) => JSON.stringify({ a: value }).replaceAll('/', '\\/'),
    ],
    ['percent-encoded', (value: string) => `https://example.com/?key=${encodeURIComponent(value)}`],
    ['in an error given as a value', (value: string) => new Error(`failed with ${value}`)],
    ['behind toJSON', (value: string) => ({ toJSON: () => ({ value }) })],
    [
      'in rich output',
      (value: string) => contentOutput([{ type: 'text', text: value }], { value }),
    ],
  ])('%s reaches neither caller nor log', async (_, wrap) => {
    for (const value of [secret, plainSecret]) {
      const { invoker, log, add } = harnessWith([value])
      add('tool', () => wrap(value), { inputSchema: {} })
      const result = await invoker.invoke('tool', wrap(value))
      expect(result.success).toBe(true)
      const everything = JSON.stringify(result) + log.text
      expect(everything).not.toContain(value)
      expect(everything).not.toContain(JSON.stringify(value).slice(1, -1))
      expect(everything).not.toContain('hunter2')
      expect(everything).toContain('[redacted]')
      const output = readOutput(result)
      expect(output?.value).toEqual(output?.text)
    }
  })

  test('is taken out before an output is cut, so no part of it is left at the edge', async () => {
    for (let padding = 160; padding < 215; padding += 1) {
      const { invoker, add } = harnessWith([plainSecret])
      add('tool', () => `${'x'.repeat(padding)}${plainSecret}${'y'.repeat(100)}`)
      expect(JSON.stringify(await invoker.invoke('tool', {}))).not.toContain('hunter')
    }
    for (let padding = 0; padding < 40; padding += 1) {
      const { invoker, add } = harnessWith([plainSecret])
      add('tool', () => `${'x'.repeat(padding)}${plainSecret}${'y'.repeat(300)}`)
      const result = await invoker.invoke('tool', {})
      expect(result).toMatchObject({ truncated: true })
      expect(JSON.stringify(result)).not.toContain('hunter')
    }
  })

  test('is taken out of errors, their data, their causes and the log', async () => {
    const { invoker, log, lines, add } = harnessWith([secret])
    add('tool', () => {
      throw Object.assign(
        new Error(`refused ${secret}`, { cause: new Error(`because of ${secret}`) }),
        { code: `E_${secret}` },
      )
    })
    add('logs', (_input, _signal, { logger }) => {
      logger.info({ header: secret, password: 'other' }, `using ${secret}`)
    })
    const result = await invoker.invoke('tool', {})
    await invoker.invoke('logs', {})
    const everything = JSON.stringify(result) + log.text + JSON.stringify(lines)
    expect(everything).not.toContain('sk-live')
    expect(everything).not.toContain('other')
    expect(log.ends[0]).toMatchObject({ error: { data: { causes: ['because of [redacted]'] } } })
  })

  test('is taken out of issues, names that do not exist, refusals, progress and late results', async () => {
    const { invoker, log, lines, add } = createHarness({
      redactor: createRedactor({ secrets: [plainSecret] }),
      checkCallable: (tool) =>
        tool.name === 'refused' ? { code: 'TOOL_REVOKED', message: plainSecret } : undefined,
    })
    const steps: unknown[] = []
    add('strict', () => 1, {
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    })
    add('refused', () => 1)
    add('steps', (_input, _signal, { reportProgress }) =>
      reportProgress({ progress: 1, message: `at ${plainSecret}` }),
    )
    const late = Promise.withResolvers<string>()
    add('late', () => late.promise)
    const results = [
      await invoker.invoke('strict', { [plainSecret]: plainSecret }),
      await invoker.invoke(plainSecret, {}),
      await invoker.invoke('refused', {}),
      await invoker.invoke('steps', {}, { onProgress: (step) => steps.push(step) }),
      await invoker.invoke('late', {}, { timeoutMs: 1 }),
    ]
    late.resolve(plainSecret)
    await invoker.close()
    expect(steps).toEqual([{ progress: 1, message: 'at [redacted]' }])
    expect(log.lates).toHaveLength(1)
    expect(JSON.stringify([results, steps, lines]) + log.text).not.toContain('hunter2')
  })

  test('made of digits is found in numbers, and the text stays JSON', async () => {
    const { invoker, log, add } = harnessWith(['4242424242'])
    add('tool', () => ({ card: 4_242_424_242, longer: 142_424_242_425, other: 7 }))
    expect(await invoker.invoke('tool', {})).toMatchObject({
      output: { card: '[redacted]', longer: '[redacted]', other: 7 },
    })
    expect(log.text).not.toContain('4242424242')
  })

  test('that spans values takes the whole output with it', async () => {
    const { invoker, log, add } = harnessWith(['zz","yy'])
    add('tool', () => ['zz', 'yy'])
    expect(await invoker.invoke('tool', {})).toMatchObject({ output: '[redacted]' })
    expect(log.text).not.toContain('zz')
  })

  test('that overlaps another leaves no rest of either', () => {
    const { redactText } = createRedactor({ secrets: ['abcdefgh', 'efghijkl', 'abcdefghijklmnop'] })
    expect(redactText('<abcdefghijkl>')).toBe('<[redacted]>')
    expect(redactText('<abcdefghijklmnop>')).toBe('<[redacted]>')
  })

  test('that makes two keys alike loses neither value', async () => {
    const { invoker, add } = harnessWith(['secret-one', 'secret-two'])
    add('tool', () => ({ 'secret-one': 1, 'secret-two': 2 }))
    expect(await invoker.invoke('tool', {})).toMatchObject({
      output: { '[redacted]': 1, '[redacted] (2)': 2 },
    })
  })

  test('keeps rich output rich', async () => {
    const { invoker, add } = harnessWith([plainSecret])
    add('tool', () => contentOutput([{ type: 'text', text: plainSecret }]))
    const result = await invoker.invoke('tool', {})
    expect(result.success && isContentOutput(result.output)).toBe(true)
  })

  test('with fewer than six characters is not looked for', () => {
    const { redactText } = createRedactor({ secrets: ['abcde', 'abcdef'] })
    expect(redactText('abcde')).toBe('abcde')
    expect(redactText('abcdef')).toBe('[redacted]')
  })

  test('may change while the program runs', () => {
    const secrets = ['first-secret']
    const { redactText } = createRedactor({ secrets: () => secrets })
    expect(redactText('first-secret second-secret')).toBe('[redacted] second-secret')
    secrets.push('second-secret')
    expect(redactText('first-secret second-secret')).toBe('[redacted] [redacted]')
  })

  test('wherever it stands in whatever JSON data is found', async () => {
    const { invoker, log, add } = harnessWith([secret])
    add('echo', (input) => input, { inputSchema: {} })
    const withSecret = fc.letrec((tie) => ({
      value: fc.oneof(
        fc.string({ unit: 'binary' }).map((text) => `${text}${secret}${text}`),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(
          fc.string().map((key) => key + secret),
          tie('value'),
          { maxKeys: 3 },
        ),
        fc.jsonValue({ maxDepth: 2 }),
      ),
    })).value
    await fc.assert(
      fc.asyncProperty(withSecret, async (value) => {
        const result = await invoker.invoke('echo', value)
        const escaped = JSON.stringify(secret).slice(1, -1)
        expect(JSON.stringify(result)).not.toContain(escaped)
        expect(log.text).not.toContain(escaped)
        log.starts.length = 0
        log.ends.length = 0
      }),
      { numRuns: 300 },
    )
  })

  test('that cannot be listed keeps the tool from running and everything out of the log', async () => {
    const { invoker, log, add } = createHarness({
      redactor: createRedactor({
        secrets: () => {
          throw new Error('vault sealed')
        },
      }),
    })
    let runs = 0
    add('tool', () => (runs += 1))
    expect(await invoker.invoke('tool', { key: plainSecret })).toMatchObject({
      errorCode: 'LOG_UNAVAILABLE',
    })
    expect(runs).toBe(0)
    expect(log.text).not.toContain('hunter2')
  })
})

describe('a key under which secrets are kept', () => {
  const names = [
    'password',
    'apiKey',
    'X-Api-Key',
    'api_key',
    'Authorization',
    'cookie',
    'Set-Cookie',
    'access_token',
    'clientSecret',
    'userPassword',
    'PRIVATE_KEY',
  ]

  test.each(names)(
    'such as %s hides its value in the log and not from the caller',
    async (name) => {
      const { invoker, log, add } = createHarness()
      add('echo', (input) => input)
      const value = { [name]: 'swordfish', deep: [{ [name]: { also: 'swordfish' } }] }
      expect(await invoker.invoke('echo', value)).toMatchObject({ output: value })
      expect(log.text).not.toContain('swordfish')
      expect(log.text).toContain('[redacted]')
    },
  )

  test.each(['tokens', 'maxTokens', 'secretary', 'author', 'keyboard', 'passenger'])(
    'is not %s',
    async (name) => {
      const { invoker, log, add } = createHarness()
      add('echo', (input) => input)
      await invoker.invoke('echo', { [name]: 'swordfish' })
      expect(log.text).toContain('swordfish')
    },
  )

  test('may be any that is named', async () => {
    const { invoker, log, add } = createHarness({
      redactor: createRedactor({ keys: ['Kunden-Nr'] }),
    })
    add('echo', (input) => input)
    await invoker.invoke('echo', { kundenNr: 'swordfish' })
    expect(log.text).not.toContain('swordfish')
  })

  test('with nothing under it shows that', async () => {
    const { invoker, log, add } = createHarness()
    add('echo', (input) => input)
    await invoker.invoke('echo', { password: '', token: null, cookie: false })
    expect(log.starts[0]?.inputText).toBe('{"password":"","token":null,"cookie":false}')
  })
})
