import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkSource } from './check-source.ts'
import type { SourcePowers } from '../source/source-problem.ts'

const none: SourcePowers = {
  form: 'function',
  capabilities: [],
  allowedPaths: [],
  allowedDomains: [],
  secrets: [],
  callees: [],
  modules: [],
}

const findings = async (
  source: string,
  powers: Partial<SourcePowers> = {},
): Promise<readonly string[]> =>
  (await checkSource(source, { ...none, ...powers })).map(
    ({ column, line, rule, severity }) => `${severity} ${line}:${column} ${rule}`,
  )

describe('the check of a source', () => {
  it('tells each problem at its line and column, in order', async () => {
    expect(
      await findings(
        'import fs from "fs"\nexport default (input: any, ctx: any) => {\n  eval(input)\n  return ctx.http.get("x")\n}',
      ),
    ).toEqual([
      'error 1:1 import.forbidden',
      'error 3:3 call.eval',
      'error 4:10 capability.missing',
      'error 4:23 http.literal',
    ])
    expect(await findings('/* 🎉 */ eval(1)\r\nexport default () => Buffer')).toEqual([
      'error 1:10 call.eval',
      'error 2:22 global.forbidden',
    ])
  })

  it('says what was found and what to do instead', async () => {
    const messages = (await checkSource('export default async () => fetch("x")', none)).map(
      ({ message }) => message,
    )
    expect(messages).toEqual([
      'fetch is not there in the sandbox. Make requests with ctx.http.request.',
    ])
  })

  it('gives at most 50 problems, warnings last', async () => {
    const warnings = Array.from({ length: 40 }, (_, index) => `unknown${index}`).join('\n')
    const errors = Array.from({ length: 45 }, () => 'eval').join('\n')
    const found = await findings(`${warnings}\n${errors}\nexport default () => 1`)
    expect(found).toHaveLength(50)
    expect(found.filter((text) => text.startsWith('error'))).toHaveLength(45)
    expect(
      await findings(
        `${Array.from({ length: 60 }, () => 'eval').join('\n')}\nexport default () => 1`,
      ),
    ).toHaveLength(50)
  })

  it('takes 65,536 characters and lines of 1,000, and no more', async () => {
    const end = '\nexport default () => 1'
    const filled = (length: number): string => {
      const lines = `// ${'x'.repeat(97)}\n`.repeat(Math.ceil(length / 101))
      return lines.slice(0, length - end.length) + end
    }
    expect(await findings(filled(65_536))).toEqual([])
    expect(await findings(filled(65_537))).toEqual(['error 1:1 size'])
    expect(await findings(`// ${'x'.repeat(997)}${end}`)).toEqual([])
    expect(await findings(`// ${'x'.repeat(998)}${end}`)).toEqual(['error 1:1001 size'])
  })

  it('warns of code behind a gap, of look-alike names, and of names that nobody declared', async () => {
    expect(await findings(`export default () => 1;${' '.repeat(100)}const a = 2`)).toEqual([
      'warning 1:24 hidden-characters',
    ])
    expect(
      await findings('const scope = 1, sc\u043Epe = 2\nexport default () => scope + sc\u043Epe'),
    ).toEqual(['warning 1:18 hidden-characters'])
    expect(await findings('const p\u0430yload = 1\nexport default () => p\u0430yload')).toEqual([
      'warning 1:7 hidden-characters',
    ])
    expect(await findings('export default () => whatever')).toEqual([
      'warning 1:22 global.forbidden',
    ])
  })

  it('warns of capabilities that are not used, where that is certain', async () => {
    const capabilities = ['fs_read', 'http']
    expect(
      await findings('export default (input, ctx) => ctx.fs.readText("a")', { capabilities }),
    ).toEqual(['warning 1:16 capability.unused'])
    for (const source of [
      'export default (input, ctx) => JSON.stringify(ctx)',
      'export default (input, ctx) => ({ ...ctx })',
      'export default (input, ctx) => ctx[input.service]',
      'export default (input, ...rest) => rest[0].fs',
      'export default (...all) => all[1].fs',
      'export default function () { return arguments[1].fs }',
      'export default (input, { fs, ...rest }) => rest',
      'const make = (f) => f\nexport default make((input, ctx) => 1)',
      'export default (input, ctx) => { input.ctx = ctx }',
      'class A { constructor(ctx) { this.ctx = ctx } }\nexport default (input, ctx) => new A(ctx)',
    ])
      expect(await findings(source, { capabilities }), source).toEqual([])
  })

  it('follows a context through the functions of the source', async () => {
    const source = [
      'const read = async ({ fs: files }, name) => files.readText(name)',
      'async function load(ctx) { const { http } = ctx; return [await read(ctx, "a"), await http.get("https://a.test/")] }',
      'export default async function run(_, context) { return load(context) }',
    ].join('\n')
    const powers = {
      capabilities: ['fs_read', 'http'],
      allowedDomains: ['a.test'],
      allowedPaths: ['d'],
    }
    expect(await findings(source, powers)).toEqual([])
    expect(await findings(source, { ...powers, allowedDomains: ['b.test'] })).toEqual([
      `error 2:${(source.split('\n')[1] ?? '').indexOf('"https') + 1} http.literal`,
    ])
    expect(
      await findings(source, { capabilities: ['http'], allowedDomains: ['a.test'] }),
    ).toContain('error 1:45 capability.missing')
  })

  it('compares hosts, schemes and ports as the guard does', async () => {
    const at = (url: string, ...allowedDomains: string[]): Promise<readonly string[]> =>
      findings(`export default (input, ctx) => ctx.http.get(${JSON.stringify(url)})`, {
        capabilities: ['http'],
        allowedDomains,
      })
    expect(await at('http://localhost:8080/x', 'http://localhost:8080')).toEqual([])
    expect(await at('http://localhost:8081/x', 'http://localhost:8080')).toHaveLength(1)
    expect(await at('https://a.b.example.com', '*.example.com')).toEqual([])
    expect(await at('https://example.com', '*.example.com')).toHaveLength(1)
    expect(await at('https://xn--bcher-kva.example/', 'bücher.example')).toEqual([])
    expect(await at('https://any.test:9/', 'https://*:*')).toEqual([])
    expect(await at('https://any.test/', 'not an origin')).toHaveLength(1)
  })

  it('knows the callees and secrets of a tool', async () => {
    const powers = { capabilities: ['tools', 'secrets'], callees: ['other'], secrets: ['KEY_1'] }
    const source = (callee: string, secret: string): string =>
      `export default (input, { tools, secrets }) => [tools.call(${callee}, {}), secrets.ref(${secret})]`
    expect(await findings(source('"other"', '"KEY_1"'), powers)).toEqual([])
    expect(await findings(source('input.a', '`KEY_${input.b}`'), powers)).toEqual([])
    expect(await findings(source('"others"', '`KEZ_${input.b}`'), powers)).toEqual([
      'error 1:59 callee.literal',
      'error 1:86 secret.literal',
    ])
  })

  it('takes ai and zod in a tool factory, and finds the context there', async () => {
    const source = [
      "import { tool } from 'ai'",
      "import { z } from 'zod'",
      'export default (context) => tool({ inputSchema: z.object({}), execute: async () => context.http.get("https://a.test/") })',
    ].join('\n')
    expect(await findings(source)).toEqual([
      'error 1:1 import.forbidden',
      'error 2:1 import.forbidden',
    ])
    expect(await findings(source, { form: 'factory' })).toEqual([
      'error 3:84 capability.missing',
      'error 3:101 http.literal',
    ])
    expect(
      await findings(source, {
        form: 'factory',
        capabilities: ['http'],
        allowedDomains: ['a.test'],
      }),
    ).toEqual([])
    expect(
      await findings("import { openai } from '@ai-sdk/openai'\nexport default () => openai", {
        form: 'factory',
      }),
    ).toEqual(['error 1:1 import.forbidden'])
  })

  it('takes modules only as they are pinned, and checks them without a shape', async () => {
    const source = "import { f } from 'toolcrib:lib/f@2'\nexport default () => f()"
    expect(await findings(source, { modules: ['toolcrib:lib/f@2'] })).toEqual([])
    expect(await findings(source, { modules: ['toolcrib:lib/f@1'] })).toEqual([
      'error 1:1 import.unpinned',
    ])
    expect(
      await checkSource('export const f = () => eval(1)', none, { module: 'toolcrib:lib/f@2' }),
    ).toMatchObject([{ rule: 'call.eval', module: 'toolcrib:lib/f@2', line: 1, column: 24 }])
  })

  it('warns of code behind blanks of whatever width', async () => {
    for (const blank of [' ', '\t', '\u00A0', '\u3000', '\u2003', '\u2800']) {
      const gap = blank.repeat(100)
      expect(await findings(`export default () => 1 /* ${gap} */; let b`)).toEqual([
        'warning 1:26 hidden-characters',
      ])
    }
    expect(await findings(`export default () => 1 /* ${' '.repeat(98)}*/`)).toEqual([])
  })

  it('answers any text with problems or none, and gives the same answer again', async () => {
    const words = fc.constantFrom(
      ...'export~default~|async~|(input,ctx)|=>|{|}|(|)|[|]|`|${|ctx|.fs|.http|?.|=|const~|a|,|;|\n|:any|"x"|/|<|>|...|class~|eval|__proto__|#|@|\\|\u202E|🎉'
        .replaceAll('~', ' ')
        .split('|'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 40 }), async (parts) => {
        const source = parts.join('')
        const found = await checkSource(source, none)
        expect(await checkSource(source, none)).toEqual(found)
        for (const { column, line } of found) {
          expect(line).toBeGreaterThan(0)
          expect(column).toBeGreaterThan(0)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('stays fast on sources that were made to be slow', async () => {
    const many = (count: number, write: (index: number) => string): string =>
      Array.from({ length: count }, (_, index) => write(index)).join('\n')
    const inTool = (text: string): string => `export default (input, ctx) => {\n${text}\n}`
    for (const source of [
      `const a0 = "x"\n${many(3_200, (index) => `const a${index + 1}=a${index}`)}\nexport default (i, ctx) => ctx.fs.readText(a3200)`,
      `${many(3_200, (index) => `const a${index}=a${index + 1}`)}\nconst a3200 = "x"\nexport default (i, ctx) => ctx.fs.readText(a0)`,
      `const a0="xxxxxxxxxx"\n${many(2_200, (index) => `const a${index + 1}=a${index}+a${index}`)}\nexport default (i) => i[a2000]`,
      inTool(`let c = ctx\n${many(2_000, (index) => `c=c.k${index};let d${index}=c;`)}`),
      `function f(a) {\n${many(900, () => 'f(a.fs);f(a.http);f(a.x)')}\n}\nexport default (i, ctx) => f(ctx)`,
      inTool(many(4_000, () => 'ctx.fs.x;')),
      inTool(many(5_000, () => 'a,b;')),
      many(4_000, () => 'var a=1;'),
      `${'{let a;\n'.repeat(380)}${many(3_000, () => 'zz;')}${'}'.repeat(380)}`,
      `${'🎉\u200D'.repeat(250)}\n`.repeat(80),
      `${'\u200B'.repeat(900)}\n`.repeat(70),
    ]) {
      const start = process.cpuUsage()
      await checkSource(source, { ...none, capabilities: ['fs_read'] })
      expect(process.cpuUsage(start).user / 1_000, source.slice(0, 60)).toBeLessThan(6_000)
    }
  })
})
