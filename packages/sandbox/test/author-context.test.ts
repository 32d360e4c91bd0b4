import type { JsonValue } from '@toolcrib/registry'
import { afterAll, describe, expect, test } from 'vitest'
import type { HostOperation, HostOperations } from '../src/index.ts'
import { GuestRunner } from './guest-runner.ts'

const guest = new GuestRunner()
afterAll(() => guest.close())

/** Every operation of ctx, each noting what it was asked and giving `answers` of its name. */
function noteAll(answers: Readonly<Record<string, JsonValue>> = {}): {
  readonly asked: unknown[]
  readonly operations: HostOperations
} {
  const asked: unknown[] = []
  const names = [
    'http.request',
    'fs.readText',
    'fs.readBytes',
    'fs.writeText',
    'fs.writeBytes',
    'fs.appendText',
    'fs.exists',
    'fs.stat',
    'fs.list',
    'fs.createFolder',
    'fs.delete',
    'secrets.ref',
    'tools.call',
  ]
  const operation =
    (name: string): HostOperation =>
    (argument) => {
      asked.push([name, argument])
      return answers[name] ?? null
    }
  return { asked, operations: Object.fromEntries(names.map((name) => [name, operation(name)])) }
}

const response = { status: 200, url: 'https://a.test/', headers: { a: 'b' }, text: '{"n":[1]}' }

describe('http', () => {
  test('a request goes out with its fields, its method and no others', async () => {
    const { asked, operations } = noteAll({ 'http.request': response })
    await guest.run(
      `await ctx.http.request({ url: "https://a.test/", method: "post", headers: { A: "b", c: undefined }, json: { d: new Date(0), e: undefined }, timeoutMs: 5, body: undefined });
       await ctx.http.request("https://b.test/");
       await ctx.http.get("https://c.test/", { headers: { x: "y" } });
       for (const name of ["post", "put", "patch", "delete", "head"]) await ctx.http[name]("https://d.test/", { body: name });`,
      {},
      operations,
    )
    expect(asked).toEqual([
      [
        'http.request',
        {
          url: 'https://a.test/',
          method: 'POST',
          headers: { A: 'b' },
          json: { d: '1970-01-01T00:00:00.000Z' },
          timeoutMs: 5,
        },
      ],
      ['http.request', { url: 'https://b.test/', method: 'GET', headers: {} }],
      ['http.request', { url: 'https://c.test/', method: 'GET', headers: { x: 'y' } }],
      ...['post', 'put', 'patch', 'delete', 'head'].map((name) => [
        'http.request',
        { url: 'https://d.test/', method: name.toUpperCase(), headers: {}, body: name },
      ]),
    ])
  })

  test('a response has its JSON, parsed when it is asked for and the same each time', async () => {
    const { operations } = noteAll({ 'http.request': response })
    const { value } = await guest.run(
      'const r = await ctx.http.get("https://a.test/"); const { json, ok } = r; return [r, json === r.json, ok, Object.keys(r)];',
      {},
      operations,
    )
    expect(value).toEqual([
      { ...response, ok: true, json: { n: [1] } },
      true,
      true,
      ['status', 'ok', 'url', 'headers', 'text', 'json'],
    ])
  })

  test('a response that is no text has its bytes in base64, and others have no such field', async () => {
    const bytes = { ...response, text: '', base64: 'AP8B' }
    const { value } = await guest.run(
      'const r = await ctx.http.get("https://a.test/"); return [r, Array.from(atob(r.base64), (c) => c.charCodeAt(0))];',
      {},
      noteAll({ 'http.request': bytes }).operations,
    )
    expect(value).toEqual([{ ...bytes, ok: true, json: null }, [0, 255, 1]])
  })

  test('a status of 400 is an answer, and a text that is no JSON has null', async () => {
    const { operations } = noteAll({ 'http.request': { ...response, status: 404, text: '<p>' } })
    const { value } = await guest.run(
      'const r = await ctx.http.get("https://a.test/"); return [r.ok, r.status, r.json, r.text];',
      {},
      operations,
    )
    expect(value).toEqual([false, 404, null, '<p>'])
  })

  test.each([
    ['undefined', 'request must be an object, not null'],
    ['5', 'request must be an object, not a number'],
    ['["https://a.test/"]', 'request must be an object, not an array'],
    ['{}', 'request.url must be a string, not undefined'],
    ['{ url: new URL("https://a.test/") }', 'request.url must be a string, not an object'],
    ['{ get url() { return "x" } }', 'request.url must be a value, not a getter or setter'],
    [
      '{ url: "x", redirect: "follow" }',
      'request.redirect is not a field of a request: use url, method, headers, body, json or timeoutMs',
    ],
    [
      '{ url: "x", toJSON() {} }',
      'request.toJSON is not a field of a request: use url, method, headers, body, json or timeoutMs',
    ],
    [
      '{ url: "x", method: "TRACE" }',
      'request.method must be GET, HEAD, POST, PUT, PATCH or DELETE',
    ],
    [
      '{ url: "x", method: "__proto__" }',
      'request.method must be GET, HEAD, POST, PUT, PATCH or DELETE',
    ],
    ['{ url: "x", headers: [["a", "b"]] }', 'request.headers must be an object, not an array'],
    ['{ url: "x", headers: { a: 5 } }', 'request.headers.a must be a string, not a number'],
    [
      '{ url: "x", headers: { get a() { return "b" } } }',
      'request.headers.a must be a value, not a getter or setter',
    ],
    [
      '{ url: "x", body: {} }',
      'request.body must be a string (use request.json for a value), not an object',
    ],
    ['{ url: "x", json: () => 1 }', 'request.json must be a JSON value, not a function'],
    ['{ url: "x", body: "a", json: 1 }', 'request.body and request.json cannot both be given'],
    [
      '{ url: "x", timeoutMs: "5" }',
      'request.timeoutMs must be a number of milliseconds, not a string',
    ],
    ['{ url: "x", timeoutMs: -1 }', 'request.timeoutMs must be a finite number, 0 or more, not -1'],
  ])('%s is refused by name, and nothing goes out', async (request, message) => {
    const { asked, operations } = noteAll()
    const { value } = await guest.run(
      `return ctx.http.request(${request}).catch((error) => [error.name, error.message]);`,
      {},
      operations,
    )
    expect(value).toEqual(['TypeError', message])
    expect(asked).toEqual([])
  })

  test('a getter in the JSON of a request is read once', async () => {
    const { asked, operations } = noteAll({ 'http.request': response })
    const { value } = await guest.run(
      'let reads = 0; await ctx.http.post("x", { json: { get a() { return ++reads; } } }); return reads;',
      {},
      operations,
    )
    expect(value).toBe(1)
    expect(asked).toMatchObject([['http.request', { json: { a: 1 } }]])
  })

  test('what stands on the prototypes is no part of a request', async () => {
    const { asked, operations } = noteAll({ 'http.request': response })
    await guest.run(
      `Object.prototype.url = "https://evil.test/"; Object.prototype.toJSON = () => "evil"; Array.prototype.toJSON = () => "evil";
       Object.defineProperty(Object.prototype, "headers", { get: () => ({ evil: "1" }), set() {} });
       JSON.stringify = () => "evil"; Promise.prototype.then = function () { return "evil" };
       await ctx.http.post("https://a.test/", { json: [[1]] });`,
      {},
      operations,
    )
    // The author's own value is written as JSON.stringify writes it; the request around it is not.
    expect(asked).toEqual([
      ['http.request', { url: 'https://a.test/', method: 'POST', headers: {}, json: 'evil' }],
    ])
  })
})

describe('files, secrets and tools', () => {
  test('each function asks for its operation with its texts', async () => {
    const { asked, operations } = noteAll()
    await guest.run(
      `const { fs, secrets, tools } = ctx;
       for (const name of ["readText", "readBytes", "exists", "stat", "list", "createFolder", "delete"]) await fs[name]("a/" + name);
       await fs.writeText("t", "text"); await fs.writeBytes("b", "AA=="); await fs.appendText("t", "more");
       await secrets.ref("KEY"); await tools.call("other", { a: 1 }); await tools.call("other");`,
      {},
      operations,
    )
    const named = ['readText', 'readBytes', 'exists', 'stat', 'list', 'createFolder', 'delete']
    expect(asked).toEqual([
      ...named.map((name) => [`fs.${name}`, { path: `a/${name}` }]),
      ['fs.writeText', { path: 't', text: 'text' }],
      ['fs.writeBytes', { path: 'b', base64: 'AA==' }],
      ['fs.appendText', { path: 't', text: 'more' }],
      ['secrets.ref', { name: 'KEY' }],
      ['tools.call', { name: 'other', input: { a: 1 } }],
      ['tools.call', { name: 'other', input: {} }],
    ])
  })

  test('answers come back as the host gave them', async () => {
    const { operations } = noteAll({
      'fs.readText': { text: 'é', bytes: 2 },
      'fs.exists': true,
      'fs.list': ['a', 'b'],
      'secrets.ref': '{{KEY}}',
      'tools.call': { deep: [1, { a: null }] },
    })
    const { value } = await guest.run(
      'const { fs } = ctx; return [await fs.readText("a"), await fs.exists("a"), await fs.stat("a"), await fs.list("a"), await ctx.secrets.ref("K"), await ctx.tools.call("t", {}), await fs.delete("a")];',
      {},
      operations,
    )
    expect(value).toEqual([
      { text: 'é', bytes: 2 },
      true,
      null,
      ['a', 'b'],
      '{{KEY}}',
      { deep: [1, { a: null }] },
      null,
    ])
  })

  test.each([
    ['ctx.fs.readText({ toString: () => "a" })', 'path must be a string, not an object'],
    ['ctx.fs.readText(new String("a"))', 'path must be a string, not an object'],
    ['ctx.fs.writeText("a", { a: 1 })', 'text must be a string, not an object'],
    ['ctx.fs.writeBytes("a", new Uint8Array(1))', 'base64 must be a string, not an object'],
    ['ctx.secrets.ref()', 'name must be a string, not undefined'],
    ['ctx.tools.call(5, {})', 'name must be a string, not a number'],
    ['ctx.tools.call("a", [1])', 'input must be an object, not an array'],
    ['ctx.tools.call("a", { toJSON: () => "text" })', 'input must be an object, not a string'],
    ['ctx.sleep("5")', 'durationMs must be a number of milliseconds, not a string'],
    ['ctx.sleep(NaN)', 'durationMs must be a finite number, 0 or more, not NaN'],
  ])('%s is refused by name', async (call, message) => {
    const { asked, operations } = noteAll()
    const { value } = await guest.run(
      `return ${call}.catch((error) => [error.name, error.message]);`,
      {},
      operations,
    )
    expect(value).toEqual(['TypeError', message])
    expect(asked).toEqual([])
  })
})

describe('the call', () => {
  test('a tool can take what it needs out of ctx', async () => {
    const { value, logs } = await guest.run(
      'const { call, log, sleep } = ctx; log("warn", "a"); log("b"); log("debug", { c: [1] }); await sleep(1); return call;',
    )
    expect(value).toEqual({ id: 'call-1', toolName: 'sample' })
    expect(logs).toEqual([
      { level: 'warn', message: 'a' },
      { level: 'info', message: 'b' },
      { level: 'debug', message: '{"c":[1]}' },
    ])
  })

  test('a message of the log has at most 65,536 characters', async () => {
    const { logs } = await guest.run('ctx.log("info", "x".repeat(65_537));')
    expect(logs.map(({ message }) => message.length)).toEqual([65_536])
  })
})
