import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { validateWorkflow } from '../src/validate-workflow.ts'
import { n8nFolder } from './install-n8n.ts'
import { loadOwnExpressions } from './own-expressions.ts'
import { readRealServer } from './real-server.ts'

const { version } = readRealServer()
const folder = process.env['N8N_FOLDER'] ?? join(n8nFolder(), version)

let refuse: (text: string) => string | undefined
beforeAll(async () => {
  refuse = await loadOwnExpressions(folder)
}, 120_000)

const values = `
$json.id ¦ $json.body.x ?? 3 ¦ $json?.body?.["a b"] ¦ typeof $json ¦ void 0 ¦ 1 ** 2 ¦ 1_000 ¦ 0o10 ¦ .5 ¦ 10n ¦ new Date(0).getTime()
"a".toTitleCase() ¦ [1, 2].at(-1) ¦ ({ ...$json }).id ¦ [..."ab"].length ¦ \`a\${1}b\` ¦ /a/v.test("a") ¦ /(?<y>a)/.exec("a").groups.y
((x) => ({ y: x }))(1) ¦ [1].map((caller) => caller) ¦ (function () { return 1 })() ¦ (() => { try { throw 1 } catch { return 2 } })()
(() => { let x = null; x ??= 5; return x })() ¦ (() => { for (const x of [1]) { return x } })() ¦ ({ f: () => 1 }).f() ¦ ({ ["a"]: 1 }).a
({ let: 1 }).let ¦ $json.public ¦ $json.format ¦ $json.body.$ ¦ new (class { x = 5 })().x ¦ Math.PI ¦ String($json.id) ¦ $json.id.toString()
$now.toISO() ¦ $if(true, 1, 2) ¦ $ifEmpty("", 2) ¦ $jmespath({ a: 1 }, "a") ¦ {a: 1} ¦ { "a": { "b": 1 } } ¦ this.x ¦ undefined ¦ 1, 2
(function caller(n) { return n })(1) ¦ (() => { binding: for (;;) break binding; return 1 })() ¦ $json.package ?? $json.static
`
const refused = `
yield ¦ let ¦ await ¦ await 1 ¦ arguments ¦ arguments[0] ¦ (() => arguments)() ¦ $json.caller ¦ $json.body["binding"] ¦ constructor
({}).constructor ¦ ({}).__proto__ ¦ Object.getPrototypeOf({}) ¦ (({ caller }) => caller)($json) ¦ with ({}) {} ¦ return 1 ¦ if (1) 2
const a = 1 ¦ 1 + ¦ (1 ¦ a b ¦ () => 1 ¦ a => b => 1 ¦ async () => 1 ¦ (function () {}) ¦ String ¦ Math.max ¦ $json.id.toString ¦ ({ f() { return 1 } }).f()
({ get a() { return 1 } }).a ¦ ({ async a() {} }) ¦ ({ *a() {} }) ¦ (() => { using x = null; return 1 })() ¦ $ ¦ $.json.id ¦ $['a'] ¦ $?.a
[1].map($ => 1) ¦ { $: 1 } ¦ $json.body.x.$.y ¦ [1].map(package => package) ¦ ((static) => 1)(1) ¦ (function (a, a) { return 1 })(1) ¦ super.x
`
const listed = (text: string): readonly string[] =>
  text
    .split(/¦|\n/)
    .map((each) => each.trim())
    .filter((each) => each !== '')

/** Whether the check takes it for the value of a parameter. */
function passes(text: string): boolean {
  const { problems } = validateWorkflow({
    name: 'expression',
    nodes: [
      {
        name: 'W',
        type: 'n8n-nodes-base.webhook',
        typeVersion: 2,
        parameters: { httpMethod: 'POST', path: 'x', responseMode: 'lastNode' },
      },
      {
        name: 'E',
        type: 'n8n-nodes-base.set',
        typeVersion: 3.4,
        parameters: {
          assignments: { assignments: [{ id: 'a', name: 'r', type: 'string', value: text }] },
        },
      },
    ],
    connections: { W: { main: [[{ node: 'E', type: 'main', index: 0 }]] } },
  })
  return !problems.some(({ code }) => code === 'bad-expression')
}

test('the check takes the expressions that n8n evaluates, and no others', () => {
  const differences = [...listed(values), ...listed(refused)].flatMap((code) => {
    const text = `={{ ${code} }}`
    const reason = refuse(text)
    const isSame = (reason === undefined) === passes(text)
    return isSame ? [] : [`${code}: ${reason ?? 'n8n evaluates it'}`]
  })
  expect(differences).toEqual([])
})

test('the lists are what they say', () => {
  for (const code of listed(values))
    expect([code, refuse(`={{ ${code} }}`)]).toEqual([code, undefined])
  for (const code of listed(refused)) expect(passes(`={{ ${code} }}`), code).toBe(false)
})
