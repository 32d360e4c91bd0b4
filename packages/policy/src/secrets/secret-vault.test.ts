import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { format, inspect } from 'node:util'
import { ToolError } from '@toolcrib/registry'
import { afterAll, describe, expect, test } from 'vitest'
import { policyRules, ToolPolicyViolation } from '../policies/policy-violation.ts'
import {
  openSecretVault,
  type SecretDefinition,
  type SecretFiller,
  type SecretVault,
} from './secret-vault.ts'

const value = 's3cr3t-Value/+=42'
const folder = mkdtempSync(join(tmpdir(), 'secret-vault-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
function makeFile(content: string | Uint8Array, mode = 0o600): string {
  files += 1
  const path = join(folder, `secret-${files}`)
  writeFileSync(path, content)
  chmodSync(path, mode)
  return path
}

const openOne = (binding: Partial<SecretDefinition> = {}): SecretVault =>
  openSecretVault({ KEY: { value, hosts: ['api.good.test'], ...binding } })

function thrownBy(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

interface Sending {
  readonly url?: string
  readonly method?: string
  readonly header?: string
  readonly others?: Readonly<Record<string, string>>
}

/** The rule that keeps a secret from being filled in, or `filled`. */
function judge(vault: SecretVault, sending: Sending): string {
  const { url = 'https://api.good.test/v1/x', method = 'GET', header = 'authorization' } = sending
  const headers = { ...sending.others, [header]: `Bearer ${vault.placeholder('KEY')}` }
  try {
    const filled = vault.fillerFor(['KEY']).fillHeaders(headers, { url: new URL(url), method })
    expect(filled.headers[header]).toBe(`Bearer ${value}`)
    return 'filled'
  } catch (error) {
    if (!ToolPolicyViolation.isViolation(error)) throw error
    expect(error.message).not.toContain(value)
    return error.rule
  }
}

describe('a value', () => {
  test('comes from the environment', () => {
    const vault = openSecretVault(
      { KEY: { environment: 'MY_KEY', hosts: ['api.good.test'] } },
      { environment: { MY_KEY: value } },
    )
    expect(vault.listValues()).toEqual([value])
    expect(vault.names).toEqual(['KEY'])
  })

  test('comes from the environment of the process unless another is given', () => {
    process.env['TOOLCRIB_TEST_SECRET'] = value
    try {
      const secrets = { KEY: { environment: 'TOOLCRIB_TEST_SECRET', hosts: ['api.good.test'] } }
      expect(openSecretVault(secrets).listValues()).toEqual([value])
    } finally {
      delete process.env['TOOLCRIB_TEST_SECRET']
    }
  })

  test.each([
    ['', value],
    ['\n', value],
    ['\r\n', value],
  ])('comes from a file, without the line break %j at its end', (end) => {
    const vault = openSecretVault({ KEY: { file: makeFile(value + end), hosts: ['a.test'] } })
    expect(vault.listValues()).toEqual([value])
  })

  test('comes from a file behind a link, as Kubernetes mounts them', () => {
    const link = join(folder, 'link')
    symlinkSync(makeFile(value), link)
    const vault = openSecretVault({ KEY: { file: link, hosts: ['a.test'] } })
    expect(vault.listValues()).toEqual([value])
  })

  const unusable: readonly (readonly [string, string | Uint8Array, string])[] = [
    ['that is empty', '', 'empty'],
    ['of a line break alone', '\n', 'empty'],
    ['of two lines', 'first-line\nsecond-line', 'line breaks'],
    ['with a header of its own', 'abcdef\r\nHost: evil.test', 'line breaks'],
    ['with NUL', 'abcdef\0ghi', 'line breaks'],
    ['with letters that no header takes', 'пароль-long', 'cannot stand in a header'],
    ['with two line breaks at its end', 'abcdef\n\n', 'white space'],
    ['with a space at its start', ' abcdef', 'white space'],
    ['of five characters', 'abcde', 'fewer than 6'],
    ['that is too long', 'x'.repeat(8_193), '8192 bytes'],
  ]
  test.each(unusable)('%s is refused, from wherever it comes', (_, content, reason) => {
    const definitions: SecretDefinition[] = [
      { file: makeFile(content), hosts: ['a.test'] },
      { environment: 'MY_KEY', hosts: ['a.test'] },
    ]
    for (const definition of definitions) {
      const environment = { MY_KEY: String(content) }
      const error = thrownBy(() => openSecretVault({ KEY: definition }, { environment }))
      expect(ToolError.is(error, 'SECRET_UNAVAILABLE')).toBe(true)
      expect(error.message).toContain('KEY')
      if ('file' in definition || content !== '\n') expect(error.message).toContain(reason)
      expect(inspect(error)).not.toMatch(/abcde|second-line|xxxx/)
    }
  })

  test('of exactly the longest and the shortest length is taken', () => {
    for (const text of ['x'.repeat(8_192), 'abcdef']) {
      const vault = openSecretVault({ KEY: { file: makeFile(`${text}\n`), hosts: ['a.test'] } })
      expect(vault.listValues()).toEqual([text])
    }
  })

  test('that is no UTF-8 is refused without a word of it', () => {
    const file = makeFile(Buffer.from([0x61, 0x62, 0x63, 0x64, 0xff, 0xfe, 0x61]))
    const error = thrownBy(() => openSecretVault({ KEY: { file, hosts: ['a.test'] } }))
    expect(error.message).toContain('UTF-8')
    expect(inspect(error)).not.toContain('abcd')
  })

  test('that is missing is named with where it was looked for', () => {
    const noVariable = thrownBy(() =>
      openSecretVault(
        { KEY: { environment: 'MY_KEY', hosts: ['a.test'] } },
        { environment: Object.create({ MY_KEY: value }) as Record<string, string> },
      ),
    )
    expect(noVariable.message).toContain('"MY_KEY" is not set')
    const noFile = thrownBy(() =>
      openSecretVault({ KEY: { file: join(folder, 'nothing'), hosts: ['a.test'] } }),
    )
    expect(noFile.message).toContain('ENOENT')
    expect(ToolError.is(noFile, 'SECRET_UNAVAILABLE')).toBe(true)
    const badName = thrownBy(() => openSecretVault({ KEY: { file: 'a\0b', hosts: ['a.test'] } }))
    expect(ToolError.is(badName, 'SECRET_UNAVAILABLE')).toBe(true)
  })

  test('is not looked for in a folder or a pipe, and nobody waits for one', () => {
    const path = join(folder, 'no-file')
    // Where there are no pipes, a folder has to do.
    if (process.platform === 'win32') mkdirSync(path)
    else execFileSync('mkfifo', ['-m', '600', path])
    mkdirSync(join(folder, 'folder'), { mode: 0o700 })
    for (const file of [join(folder, 'folder'), path]) {
      const error = thrownBy(() => openSecretVault({ KEY: { file, hosts: ['a.test'] } }))
      expect(ToolError.is(error, 'SECRET_UNAVAILABLE')).toBe(true)
      if (process.platform !== 'win32') expect(error.message).toContain('no plain file')
    }
  })

  test.each([
    [0o600, false, 'taken'],
    [0o400, false, 'taken'],
    [0o640, false, 'readableByOthers'],
    [0o604, false, 'readableByOthers'],
    [0o640, true, 'taken'],
    [0o444, true, 'taken'],
    [0o644, true, 'taken'],
    [0o620, true, 'may be changed'],
    [0o602, true, 'may be changed'],
  ])('in a file of mode %o, readable by others allowed: %s, is %s', (mode, allowed, outcome) => {
    const open = (): SecretVault =>
      openSecretVault({
        KEY: { file: makeFile(value, mode), readableByOthers: allowed, hosts: ['a.test'] },
      })
    // Windows has no such modes; there the file is taken as it is.
    if (outcome === 'taken' || process.platform === 'win32')
      expect(open().listValues()).toEqual([value])
    else expect(thrownBy(open).message).toContain(outcome)
  })
})

describe('a definition', () => {
  test.each<readonly [string, unknown]>([
    ['without hosts', { value, hosts: [] }],
    ['for every host', { value, hosts: ['*'] }],
    ['for every host over plain http', { value, hosts: ['http://*:*'] }],
    ['for a top-level domain', { value, hosts: ['*.test'] }],
    ['with hosts that are no list', { value, hosts: 'api.good.test' }],
    ['with a misspelt field', { value, hosts: ['a.test'], path: ['/v1'] }],
    ['with two sources', { value, environment: 'X', hosts: ['a.test'] }],
    ['without a source', { hosts: ['a.test'] }],
    ['with a number as its value', { value: 123_456, hosts: ['a.test'] }],
    ['with an empty list of methods', { value, hosts: ['a.test'], methods: [] }],
    ['with a malformed method', { value, hosts: ['a.test'], methods: ['GET POST'] }],
    ['with a malformed header', { value, hosts: ['a.test'], headers: ['x:y'] }],
    ['with a relative path', { value, hosts: ['a.test'], paths: ['v1'] }],
    ['with a path that climbs', { value, hosts: ['a.test'], paths: ['/v1/../admin'] }],
    ['with an encoded path', { value, hosts: ['a.test'], paths: ['/v1/%2e%2e'] }],
    ['with a path that is a pattern', { value, hosts: ['a.test'], paths: ['/v1/*'] }],
    ['with a path that is a host', { value, hosts: ['a.test'], paths: ['//evil.test/'] }],
    ['that is null', null],
  ])('%s is refused at once', (_, definition) => {
    const error = thrownBy(() => openSecretVault({ KEY: definition as SecretDefinition }))
    expect(ToolError.is(error, 'POLICY_INVALID')).toBe(true)
    expect(error.message).toContain('secrets.KEY')
    expect(error.message).not.toContain(value)
  })

  test.each(['', 'a b', '1a', 'a'.repeat(129), 'a\n', '__proto__\u0000'])(
    'cannot be called %j',
    (name) => {
      const error = thrownBy(() => openSecretVault({ [name]: { value, hosts: ['a.test'] } }))
      expect(ToolError.is(error, 'POLICY_INVALID')).toBe(true)
    },
  )
})

describe('a placeholder', () => {
  test('has the documented form and is the same for the whole process', () => {
    expect(openOne().placeholder('KEY')).toMatch(/^tmsec_[0-9a-f]{16}_KEY_$/)
    expect(openOne().placeholder('KEY')).toBe(openOne().placeholder('KEY'))
  })

  test('of an unknown secret is not given', () => {
    for (const name of ['OTHER', 'toString', '__proto__', ''])
      expect(
        ToolError.is(
          thrownBy(() => openOne().placeholder(name)),
          'SECRET_UNAVAILABLE',
        ),
      ).toBe(true)
  })

  const filler = openOne().fillerFor(['KEY'])

  test.each([
    openOne().placeholder('KEY'),
    `x${openOne().placeholder('KEY')}y`,
    openOne().placeholder('KEY').toUpperCase(),
    'tmsec_0123456789abcdef_KEY_',
    'tmsec_0_',
    'TmSeC_aB_',
  ])('is seen in %s', (text) => {
    expect(filler.hasPlaceholder(text)).toBe(true)
    expect(filler.hasPlaceholder(text)).toBe(true)
  })

  test.each(['', 'tmsec', 'tmsec_', 'tmsec__', 'tmsec_xyz_', 'nothing'])(
    'is not seen in %j',
    (text) => {
      expect(filler.hasPlaceholder(text)).toBe(false)
    },
  )

  test('may stand several times in a header, and beside others', () => {
    const vault = openSecretVault({
      API: { value: 'value-of-api', hosts: ['a.test'] },
      API_KEY: { value: 'value-of-api-key', hosts: ['a.test'] },
      tmsec_0: { value: 'value-of-odd', hosts: ['a.test'] },
    })
    const [api, apiKey, odd] = ['API', 'API_KEY', 'tmsec_0'].map((name) => vault.placeholder(name))
    const { headers, used } = vault
      .fillerFor(['API', 'API_KEY', 'tmsec_0'])
      .fillHeaders(
        { 'X-A': `${api}${apiKey}_${api}`, 'X-B': 'plain', 'X-C': `<${odd}>` },
        { url: new URL('https://a.test/'), method: 'GET' },
      )
    expect(headers).toEqual({
      'X-A': 'value-of-apivalue-of-api-key_value-of-api',
      'X-B': 'plain',
      'X-C': '<value-of-odd>',
    })
    expect(used).toEqual(['API', 'API_KEY', 'tmsec_0'])
  })

  test('may stand in Basic credentials', () => {
    const vault = openOne()
    const encoded = Buffer.from(`user:${vault.placeholder('KEY')}`).toString('base64')
    for (const scheme of ['Basic', 'basic']) {
      const { headers, used } = vault
        .fillerFor(['KEY'])
        .fillHeaders(
          { Authorization: `${scheme} ${encoded}` },
          { url: new URL('https://api.good.test/'), method: 'GET' },
        )
      const [, credentials = ''] = headers['Authorization']?.split(' ') ?? []
      expect(Buffer.from(credentials, 'base64').toString()).toBe(`user:${value}`)
      expect(used).toEqual(['KEY'])
    }
  })

  test('in Basic credentials is bound and checked like any other', () => {
    const vault = openOne()
    const send = (credentials: string, host: string): string => {
      const encoded = Buffer.from(credentials).toString('base64')
      const error = thrownBy(() =>
        vault
          .fillerFor(['KEY'])
          .fillHeaders(
            { authorization: `Basic ${encoded}` },
            { url: new URL(`https://${host}/`), method: 'GET' },
          ),
      )
      return ToolPolicyViolation.isViolation(error) ? error.rule : String(error)
    }
    expect(send(`user:${vault.placeholder('KEY')}`, 'evil.test')).toBe('secret.host')
    expect(send('user:tmsec_0123456789abcdef_KEY_', 'api.good.test')).toBe('secret.unknown')
  })

  test('is not filled in twice when a value looks like one', () => {
    const inner = openOne().placeholder('KEY')
    const vault = openSecretVault({
      KEY: { value, hosts: ['a.test'] },
      ODD: { value: inner, hosts: ['a.test'] },
    })
    const { headers } = vault
      .fillerFor(['KEY', 'ODD'])
      .fillHeaders(
        { a: vault.placeholder('ODD') },
        { url: new URL('https://a.test/'), method: 'GET' },
      )
    expect(headers).toEqual({ a: inner })
  })
})

describe('a secret that is not the tool’s', () => {
  const vault = openSecretVault({
    KEY: { value, hosts: ['api.good.test'] },
    KEY_ADMIN: { value: 'value-of-admin', hosts: ['api.good.test'] },
  })
  const filler = vault.fillerFor(['KEY', 'MISSING'])
  const real = vault.placeholder('KEY')
  const nonce = real.slice(6, 22)
  const lastDigit = nonce.endsWith('0') ? '1' : '0'

  test.each([
    'tmsec_0123456789abcdef_KEY_',
    `tmsec_${nonce.slice(0, -1)}${lastDigit}_KEY_`,
    `tmsec_${nonce}0_KEY_`,
    `tmsec_${nonce.slice(1)}_KEY_`,
    `tmsec_${nonce}_key_`,
    `tmsec_${nonce}_KEY`,
    `tmsec_${nonce}_MISSING_`,
    `tmsec_${nonce}_toString_`,
    `tmsec_${nonce}___proto___`,
    `tmsec_${nonce}_`,
    `tmsec_0_${real}`,
    vault.placeholder('KEY_ADMIN'),
    real.toUpperCase(),
    `TMSEC_${nonce}_KEY_`,
    `${real} tmsec_0_`,
  ])('is unknown: %s', (text) => {
    const error = thrownBy(() =>
      filler.fillHeaders(
        { a: `x ${text} y` },
        { url: new URL('https://api.good.test/'), method: 'GET' },
      ),
    )
    expect(ToolPolicyViolation.isViolation(error) && error.rule).toBe('secret.unknown')
    expect(inspect(error)).not.toMatch(/s3cr3t|value-of-admin/)
  })

  test('cannot stand in the name of a header', () => {
    const error = thrownBy(() =>
      filler.fillHeaders(
        { [real]: 'x' },
        { url: new URL('https://api.good.test/'), method: 'GET' },
      ),
    )
    expect(ToolPolicyViolation.isViolation(error) && error.rule).toBe('secret.place')
  })
})

describe('a secret bound to hosts', () => {
  test.each([
    ['api.good.test', 'https://api.good.test/', 'filled'],
    ['api.good.test', 'https://API.good.test./', 'filled'],
    ['api.good.test', 'http://api.good.test/', 'secret.host'],
    ['api.good.test', 'http://api.good.test:443/', 'secret.host'],
    ['api.good.test', 'https://api.good.test:8443/', 'secret.host'],
    ['api.good.test', 'https://api.good.test.evil.test/', 'secret.host'],
    ['api.good.test', 'https://xapi.good.test/', 'secret.host'],
    ['api.good.test', 'https://evil.test/?api.good.test', 'secret.host'],
    ['api.good.test', 'https://api.good.test@evil.test/', 'secret.host'],
    ['*.good.test', 'https://a.b.good.test/', 'filled'],
    ['*.good.test', 'https://good.test/', 'secret.host'],
    ['*.good.test', 'https://evilgood.test/', 'secret.host'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/', 'filled'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8081/', 'secret.host'],
    ['http://localhost:*', 'http://localhost:1234/', 'filled'],
  ])('%s judges %s: %s', (host, url, verdict) => {
    expect(judge(openOne({ hosts: [host] }), { url })).toBe(verdict)
  })
})

describe('a secret bound to methods', () => {
  test.each<readonly [Sending, string]>([
    [{ method: 'GET' }, 'filled'],
    [{ method: 'get' }, 'filled'],
    [{ method: 'POST' }, 'filled'],
    [{ method: 'DELETE' }, 'secret.method'],
    [{ method: 'POST', others: { 'X-HTTP-Method-Override': 'DELETE' } }, 'secret.method'],
    [{ method: 'POST', others: { 'x-http-method': 'DELETE' } }, 'secret.method'],
    [{ method: 'POST', others: { 'X-Method-Override': 'DELETE' } }, 'secret.method'],
    [{ method: 'POST', others: { X_HTTP_METHOD_OVERRIDE: 'DELETE' } }, 'secret.method'],
    [{ method: 'POST', url: 'https://api.good.test/?_method=DELETE' }, 'secret.method'],
    [{ method: 'POST', url: 'https://api.good.test/?a=1&%5fMETHOD' }, 'secret.method'],
    [{ method: 'POST', url: 'https://api.good.test/?my_method=DELETE' }, 'filled'],
  ])('judges %j: %s', (sending, verdict) => {
    expect(judge(openOne({ methods: ['get', 'POST'] }), sending)).toBe(verdict)
  })
})

describe('a secret bound to the path /v1', () => {
  test.each([
    ['/v1', 'filled'],
    ['/v1/', 'filled'],
    ['/v1/users?x=/../..', 'filled'],
    ['/v1/a/../b', 'filled'],
    ['/v1/group%2Fproject', 'filled'],
    ['/v1/100%25', 'filled'],
    ['/v1/a.b/..c/d..', 'filled'],
    ['/v1/caf%C3%A9', 'filled'],
    ['/v10', 'secret.path'],
    ['/', 'secret.path'],
    ['/V1/users', 'secret.path'],
    ['/x/v1', 'secret.path'],
    ['//v1', 'secret.path'],
    ['/v1/../admin', 'secret.path'],
    ['/v1/%2e%2e/admin', 'secret.path'],
    ['/v1/.%2E/admin', 'secret.path'],
    ['/v1\\..\\admin', 'secret.path'],
    ['/v1%2f..%2fadmin', 'secret.path'],
    ['/v1/..%2fadmin', 'secret.path'],
    ['/v1/..%5cadmin', 'secret.path'],
    ['/v1/%2e%2e%2fadmin', 'secret.path'],
    ['/v1/%252e%252e/admin', 'secret.path'],
    ['/v1/%25252e%25252e%25252fadmin', 'secret.path'],
    ['/v1/%2525252525252e%2525252525252e/admin', 'secret.path'],
    ['/v1/%25/%252e%252e/admin', 'secret.path'],
    ['/v1/..;/admin', 'secret.path'],
    ['/v1/..;x=1/admin', 'secret.path'],
    ['/v1/%2e%2e%3b/admin', 'secret.path'],
    ['/v1;/../admin', 'secret.path'],
    ['/v1/..%20/admin', 'secret.path'],
    ['/v1/..%00/admin', 'secret.path'],
    ['/v1/%00../admin', 'secret.path'],
    ['/v1/..%09/admin', 'secret.path'],
    ['/v1/%c0%ae%c0%ae/admin', 'secret.path'],
    ['/v1/%u002e%u002e/admin', 'secret.path'],
    ['/v1/%ef%bc%8e%ef%bc%8e/admin', 'secret.path'],
    ['/v1/%E2%80%A5/admin', 'secret.path'],
    ['/v1/./%2e/..;/..;/admin', 'secret.path'],
    ['/v1/%FF', 'secret.path'],
  ])('judges %s: %s', (path, verdict) => {
    for (const bound of ['/v1', '/v1/'])
      expect(judge(openOne({ paths: [bound] }), { url: `https://api.good.test${path}` })).toBe(
        verdict,
      )
  })

  test('is not sent where a header gives another path', () => {
    for (const name of ['X-Original-URL', 'x-rewrite-url'])
      expect(judge(openOne({ paths: ['/v1'] }), { others: { [name]: '/admin' } })).toBe(
        'secret.path',
      )
  })

  test('may be bound to further paths and to all of them', () => {
    const url = 'https://api.good.test/v2/x'
    expect(judge(openOne({ paths: ['/v1', '/v2'] }), { url })).toBe('filled')
    expect(judge(openOne({ paths: ['/'] }), { url })).toBe('filled')
    expect(judge(openOne({ paths: ['/ü'] }), { url: 'https://api.good.test/ü/x' })).toBe('filled')
  })
})

test('a secret bound to headers stands in no other', () => {
  const vault = openOne({ headers: ['X-Api-Key'] })
  expect(judge(vault, { header: 'x-api-key' })).toBe('filled')
  expect(judge(vault, { header: 'X-API-KEY' })).toBe('filled')
  expect(judge(vault, { header: 'authorization' })).toBe('secret.place')
})

test('a violation says which rule, what was tried and what is bound', () => {
  const vault = openOne({ methods: ['GET'] })
  const error = thrownBy(() =>
    vault
      .fillerFor(['KEY'])
      .fillHeaders(
        { authorization: vault.placeholder('KEY') },
        { url: new URL('https://api.good.test/x?token=1'), method: 'POST' },
      ),
  )
  expect(error.message).toContain(policyRules['secret.method'])
  expect(error.message).toContain('"https://api.good.test/x"')
  expect(error.message).toContain('the methods GET')
  expect(error.message).not.toContain('token=1')
})

describe('whoever holds a vault or a filler and looks at it', () => {
  const vault = openOne()
  const filler: SecretFiller = vault.fillerFor(['KEY'])

  test.each<readonly [string, (held: object) => string]>([
    ['JSON.stringify', (held) => JSON.stringify(held)],
    ['inspect', (held) => inspect(held, { showHidden: true, depth: null, getters: true })],
    ['format', (held) => format('%s %j %o', held, held, held)],
    ['its functions as text', (held) => Object.values(held).map(String).join()],
    ['a copy', (held) => inspect({ ...held })],
    [
      'every property that can be reached',
      (held) => {
        const seen = new Set<unknown>()
        const texts: string[] = []
        const visit = (found: unknown): void => {
          if (typeof found === 'string') texts.push(found)
          if ((typeof found !== 'object' && typeof found !== 'function') || found === null) return
          if (seen.has(found)) return
          seen.add(found)
          for (const key of Reflect.ownKeys(found))
            // Some properties of the language's own functions throw when they are read.
            try {
              visit((found as Record<PropertyKey, unknown>)[key])
            } catch {}
        }
        visit(held)
        return texts.join()
      },
    ],
  ])('sees no value through %s', (_, look) => {
    for (const held of [vault, filler]) {
      const shown = look(held)
      expect(shown).not.toContain(value)
      expect(shown).not.toContain(Buffer.from(value).toString('base64').slice(0, 12))
    }
  })

  test('cannot change it', () => {
    expect(Object.isFrozen(vault)).toBe(true)
    expect(Object.isFrozen(filler)).toBe(true)
    ;(vault.listValues() as string[]).length = 0
    expect(vault.listValues()).toEqual([value])
    expect(() => (vault.names as string[]).push('OTHER')).toThrow(TypeError)
  })

  test('gains nothing by changing the definition afterwards', () => {
    const definition = { value, hosts: ['api.good.test'] }
    const held = openSecretVault({ KEY: definition })
    definition.hosts.push('evil.test')
    expect(judge(held, { url: 'https://evil.test/' })).toBe('secret.host')
  })
})

test('texts are given without values in their usual forms', () => {
  const vault = openOne()
  const forms = [value, encodeURIComponent(value), Buffer.from(value).toString('base64')]
  for (const form of forms) {
    const text = vault.redactText(`<${form}>`)
    expect(text).not.toContain(form)
    expect(text).toContain('[redacted]')
  }
  const credentials = Buffer.from(`someone:${value}`).toString('base64')
  expect(vault.redactText(`Basic ${credentials}`)).not.toContain(credentials.slice(-12))
  expect(vault.redactText(Buffer.from(value).toString('hex'))).toContain('[redacted]')
  expect(vault.redactText(vault.placeholder('KEY'))).toBe(vault.placeholder('KEY'))
})
