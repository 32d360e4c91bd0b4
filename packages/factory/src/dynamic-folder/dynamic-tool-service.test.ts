import { execFile } from 'node:child_process'
import {
  appendFile,
  copyFile,
  link,
  mkdir,
  readdir,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { setTimeout as wait } from 'node:timers/promises'
import { ToolError } from '@toolcrib/registry'
import { createSandbox } from '@toolcrib/sandbox'
import { createMemoryEventStore } from '@toolcrib/toolsmaker'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { adding, numeral, until } from '../../test/dynamic-sources.ts'
import { type CodeHost, openCodeHost } from '../../test/open-code-host.ts'
import type { DynamicToolChange, DynamicToolService } from '../index.ts'

const sandbox = createSandbox({ maxWorkers: 1 })
let host: CodeHost

beforeEach(async () => {
  host = await openCodeHost(sandbox)
})
afterEach(async () => {
  await host.close()
})
afterAll(async () => {
  await sandbox.close()
})

const open = async (
  options: Parameters<CodeHost['openService']>[0] = {},
): Promise<DynamicToolService> => {
  const service = host.openService(options)
  await service.initialize()
  return service
}

const statusOf = (
  service: DynamicToolService,
  file: string,
): ReturnType<DynamicToolService['list']>[number] | undefined =>
  service.list().find((entry) => entry.file === file)

const versionsOf = (name: string): readonly string[] =>
  host.toolsmaker.listVersions(name).map(({ status }) => status)

const file = 'agent_ada_add_to.ts'

describe('what is there at the start', () => {
  test('the template that is shipped loads as it is', async () => {
    const template = join(import.meta.dirname, '../../templates/dynamic-tool-template.ts')
    await copyFile(template, join(host.folder, 'agent_ada_count_words.ts'))
    const service = await open()
    await service.whenIdle()
    expect(service.list()).toEqual([
      {
        file: 'agent_ada_count_words.ts',
        agentId: 'ada',
        toolName: 'count_words',
        status: 'loaded',
        reason: 'it came from a file',
        version: 1,
        lifecycleStatus: 'approval_required',
        contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
    await host.approve('count_words', 1)
    expect(await host.call('ada', 'count_words', { text: 'a b c' })).toEqual({ words: 3 })
    const tool = host.registry.get('count_words')
    expect(tool?.describeCall?.({ text: 'a b c' })).toBe('Counting words of: a b c')
  })

  test('a factory without examples is tried on inputs made from its schema, and they say so', async () => {
    await host.write(
      'agent_ada_calculate.ts',
      `import { tool } from 'ai';
import { z } from 'zod';
import type { ExecutionContext } from '@/agents/execution/types';
import type { AISdkTool } from '@/tools/registry';
const calculation = z.object({ operation: z.enum(['add', 'divide']), a: z.number(), b: z.number() });
const createCalculator = (context: ExecutionContext): AISdkTool => {
    const made = tool({
        description: 'Adds or divides two numbers',
        inputSchema: calculation,
        execute: async (input) => {
            if (input.operation === 'divide' && input.b === 0) throw new Error('Division by zero');
            return { result: input.operation === 'add' ? input.a + input.b : input.a / input.b };
        },
    });
    Object.defineProperty(made, 'getHumanReadableContent', {
        value: (input) => \`Working out: \${input.a} \${input.operation} \${input.b}\`, enumerable: false, configurable: true,
    });
    return made;
};
export default createCalculator;
`,
    )
    const service = await open()
    await service.whenIdle()
    expect(service.list()).toMatchObject([{ status: 'loaded', toolName: 'calculate' }])
    const spec = host.toolsmaker.getSpec('calculate', 1)
    expect(spec?.examples.length).toBeGreaterThan(0)
    for (const example of spec?.examples ?? []) {
      expect(example.note).toMatch(/^Made from the input schema/)
      expect(example).not.toHaveProperty('expected')
    }
    await host.approve('calculate', 1)
    expect(await host.call('ada', 'calculate', { operation: 'add', a: 2, b: 3 })).toEqual({
      result: 5,
    })
    expect(host.registry.get('calculate')?.describeCall?.({ operation: 'add', a: 2, b: 3 })).toBe(
      'Working out: 2 add 3',
    )
  })

  test('the folder is made when it is not there', async () => {
    const directory = join(host.folder, 'tools/dynamic')
    const service = await open({ directory })
    expect(await readdir(directory)).toEqual([])
    await writeFile(join(directory, file), adding(1))
    await until(() => statusOf(service, file)?.status === 'loaded', 'the file is loaded')
  })

  test('broken files are named with their reason, and the others load', async () => {
    const broken = {
      'agent_ada_no_syntax.ts': ['export default (', 'line 1, column 17'],
      'agent_ada_no_example.ts': [adding(1).replace(/examples.*\n/, '\n'), 'has no example'],
      'agent_ada_wrong_result.ts': [adding(1).replace('+ 1\n', '+ 2\n'), 'rejected'],
      'agent_ada_tool_1.ts': [adding(1), 'must say what the tool does'],
      'agent_ada_reach_out.ts': [
        "import 'node:fs'\nexport default () => 1",
        'it imports "node:fs"',
      ],
      'helper.ts': [adding(1), 'agent_{agentId}_{toolName}.ts'],
      'agent_ada.ts': [adding(1), 'agent_{agentId}_{toolName}.ts'],
      'agent_..-.._add_up.ts': [adding(1), 'a letter or digit first'],
      [`agent_${'a'.repeat(101)}_add_up.ts`]: [adding(1), 'at most 100'],
      'agent_ada_mcp__github__search.ts': [adding(1), 'MCP servers'],
      'agent_ada_add_\u202Eup.ts': [adding(1), String.raw`add_\u{202e}up`],
      'agent_ada_says_nothing_true.ts': [
        "throw new Error('a\\u202eb\\nc')",
        String.raw`a\u{202e}b\u{a}c`,
      ],
      'agent_a b_add_up.ts': [adding(1), 'The agent’s id'.replace('’', "'")],
    } as const
    for (const [name, [source]] of Object.entries(broken)) await host.write(name, source)
    await host.write(file, adding(1))
    await host.write('notes.md', 'no tool')
    await host.write('types.d.ts', 'export {}')
    await host.write('.hidden.ts', adding(1))
    const service = await open()
    await service.whenIdle()
    expect(service.list().map((entry) => entry.file)).toEqual(
      [...Object.keys(broken), file].toSorted(),
    )
    for (const [name, [, part]] of Object.entries(broken)) {
      expect(statusOf(service, name)).toMatchObject({
        status: 'failed',
        reason: expect.stringContaining(part),
      })
      expect(host.lines).toContainEqual(
        expect.objectContaining({ level: 'warn', data: expect.objectContaining({ file: name }) }),
      )
    }
    expect(statusOf(service, file)?.status).toBe('loaded')
  })

  test('a restart changes nothing, also for what was rejected', async () => {
    await host.write(file, adding(1))
    await host.write('agent_ada_add_wrong.ts', adding(1).replace('+ 1\n', '+ 2\n'))
    const service = await open()
    await service.whenIdle()
    host = await host.restart()
    const again = await open()
    await again.whenIdle()
    expect(versionsOf('add_to')).toEqual(['approval_required'])
    expect(versionsOf('add_wrong')).toEqual(['rejected'])
    expect(statusOf(again, 'agent_ada_add_wrong.ts')).toMatchObject({
      status: 'failed',
      version: 1,
      reason: expect.stringContaining('Change the file'),
    })
  })

  test('forty files load while the host answers', async () => {
    await host.close()
    const ownerLimits = { pending: 40, proposalsPerMinute: 40 }
    host = await openCodeHost(sandbox, { ownerLimits }, { store: createMemoryEventStore() })
    for (let index = 0; index < 40; index += 1)
      await host.write(
        `agent_ada_add_${numeral(index)}.ts`,
        index % 20 === 0 ? 'broken(' : adding(index),
      )
    let longest = 0
    // Time of the processor, not of the clock: the machine may do other work at the same time.
    const spent = (): number => process.threadCpuUsage().user / 1_000
    let last = spent()
    const beat = setInterval(() => {
      const now = spent()
      longest = Math.max(longest, now - last)
      last = now
    }, 10)
    const service = await open()
    await service.whenIdle()
    clearInterval(beat)
    const counts = Object.groupBy(service.list(), ({ status }) => status)
    expect([counts.loaded?.length, counts.failed?.length, counts.pending]).toEqual([
      38,
      2,
      undefined,
    ])
    expect(longest).toBeLessThan(2_500)
  })
})

describe('while it runs', () => {
  test('a file that is saved is a proposal at once', async () => {
    const service = await open()
    const startedAt = performance.now()
    await host.write(file, adding(1))
    await until(() => statusOf(service, file)?.status === 'loaded', 'the file is loaded')
    expect(host.toolsmaker.listPending()).toMatchObject([{ name: 'add_to', owner: 'agent:ada' }])
    expect(performance.now() - startedAt).toBeLessThan(30_000)
  })

  test('a change is the next version; the old one answers until a person decides', async () => {
    const service = await open()
    await host.write(file, adding(1))
    await until(() => statusOf(service, file)?.status === 'loaded', 'the file is loaded')
    await host.approve('add_to', 1)
    await host.write(file, adding(5))
    await until(() => statusOf(service, file)?.version === 2, 'version 2 is there')
    expect(await host.call('ada', 'add_to', { n: 1 })).toBe(2)
    await host.approve('add_to', 2)
    expect(await host.call('ada', 'add_to', { n: 1 })).toBe(6)
  })

  test('a broken change leaves the version in use alone, and mending it loads', async () => {
    const service = await open()
    await host.write(file, adding(1))
    await service.loadNow(file)
    await host.approve('add_to', 1)
    await host.write(file, 'export default (')
    await until(() => statusOf(service, file)?.status === 'failed', 'the change failed')
    expect(await host.call('ada', 'add_to', { n: 1 })).toBe(2)
    await host.write(file, adding(3))
    await until(() => statusOf(service, file)?.version === 2, 'version 2 is there')
    expect(statusOf(service, file)).toMatchObject({ status: 'loaded' })
  })

  test('the same bytes written again change nothing', async () => {
    const service = await open({ debounceMs: 20 })
    await host.write(file, adding(1))
    await until(() => statusOf(service, file)?.status === 'loaded', 'the file is loaded')
    const events = await host.toolsmaker.history('add_to')
    for (let left = 5; left > 0; left -= 1) {
      await host.write(file, adding(1))
      await wait(60)
    }
    await service.whenIdle()
    expect(await host.toolsmaker.history('add_to')).toHaveLength(events.length)
  })

  test('a file that is written bit by bit is proposed once, and whole', async () => {
    const service = await open({ debounceMs: 300 })
    const seen: string[] = []
    service.on('changed', ({ status }) => {
      if (status !== undefined) seen.push(status.status)
    })
    const source = adding(7)
    const path = join(host.folder, file)
    for (let at = 0; at < source.length; at += 60) {
      await appendFile(path, source.slice(at, at + 60))
      await wait(80)
    }
    await until(() => statusOf(service, file)?.status === 'loaded', 'the file is loaded')
    expect(seen).not.toContain('failed')
    expect(versionsOf('add_to')).toEqual(['approval_required'])
  })

  test('a file that is put in place by a rename loads', async () => {
    const service = await open()
    const temporary = join(host.folder, `${file}.tmp`)
    for (const n of [1, 2]) {
      await writeFile(temporary, adding(n))
      await rename(temporary, join(host.folder, file))
      await until(() => statusOf(service, file)?.version === n, `version ${n} is there`)
    }
    expect(service.list().map((entry) => entry.file)).toEqual([file])
  })

  test('where the system does not tell it looks again and again', async () => {
    const service = await open({ usePolling: true, pollIntervalMs: 50, debounceMs: 50 })
    await host.write(file, adding(1))
    await until(() => statusOf(service, file)?.status === 'loaded', 'the file is loaded')
    await rm(join(host.folder, file))
    await until(() => statusOf(service, file) === undefined, 'the file is forgotten')
    expect(versionsOf('add_to')).toEqual(['rejected'])
  })

  test('listeners hear of files, of decisions and of nothing else', async () => {
    const service = await open({ debounceMs: 50 })
    const heard: DynamicToolChange[] = []
    service.on('changed', () => {
      throw new Error('a listener that fails')
    })
    const stop = service.on('changed', (change) => {
      heard.push(change)
    })
    await host.write(file, adding(1))
    await until(() => statusOf(service, file)?.status === 'loaded', 'the file is loaded')
    await host.approve('add_to', 1)
    await host.call('bob', 'toolFactory_listCustomTools', {})
    await until(() => heard.at(-1)?.status?.reason === undefined, 'it is heard')
    expect(heard.at(0)).toMatchObject({ file, status: { status: 'pending' } })
    expect(heard.at(-1)).toMatchObject({
      file,
      status: { status: 'loaded', lifecycleStatus: 'activated' },
    })
    expect(heard.at(-1)?.status).not.toHaveProperty('reason')
    stop()
    const count = heard.length
    await rm(join(host.folder, file))
    await until(() => statusOf(service, file) === undefined, 'the file is forgotten')
    expect(heard).toHaveLength(count)
  })
})

describe('a file that goes', () => {
  test('takes its tool out of use, and coming back it needs a person', async () => {
    const service = await open({ debounceMs: 50 })
    await host.write(file, adding(1))
    await service.loadNow(file)
    await host.approve('add_to', 1)
    await rm(join(host.folder, file))
    // A stop takes effect before it is on record.
    await until(() => versionsOf('add_to')[0] === 'deactivated', 'the tool is out of use')
    expect(host.registry.has('add_to')).toBe(false)
    await until(() => service.list().length === 0, 'the file is gone from the list')
    await host.write(file, adding(1))
    await until(() => statusOf(service, file)?.status === 'loaded', 'the file is loaded')
    expect(statusOf(service, file)).toMatchObject({
      version: 1,
      lifecycleStatus: 'deactivated',
      reason: 'its file was deleted',
    })
    expect(host.registry.has('add_to')).toBe(false)
    await host.toolsmaker.activateToolVersion('add_to', 1, { signer: host.signer })
    expect(await host.call('ada', 'add_to', { n: 1 })).toBe(2)
  })

  test('takes back what waits, and coming back it is proposed again', async () => {
    const service = await open({ debounceMs: 50 })
    await host.write(file, adding(1))
    await service.loadNow(file)
    await rm(join(host.folder, file))
    await until(() => versionsOf('add_to')[0] === 'rejected', 'the proposal is taken back')
    await host.write(file, adding(1))
    await until(() => statusOf(service, file)?.version === 2, 'version 2 is there')
    expect(versionsOf('add_to')).toEqual(['rejected', 'approval_required'])
  })

  test('while nobody watched is noticed at the next start', async () => {
    const service = await open()
    await host.write(file, adding(1))
    await host.write('agent_ada_keep_this.ts', adding(2))
    await service.loadNow(file)
    await service.loadNow('agent_ada_keep_this.ts')
    await host.approve('add_to', 1)
    await host.approve('keep_this', 1)
    host = await host.restart()
    await host.toolsmaker.loadActiveTools()
    await rm(join(host.folder, file))
    const again = await open()
    await again.whenIdle()
    expect([host.registry.has('add_to'), host.registry.has('keep_this')]).toEqual([false, true])
  })

  test('with its whole folder: the folder is watched again', async () => {
    const service = await open({ debounceMs: 50 })
    await host.write(file, adding(1))
    await service.loadNow(file)
    await host.approve('add_to', 1)
    await rm(host.folder, { recursive: true })
    await until(() => !host.registry.has('add_to'), 'the tool is out of use')
    await mkdir(host.folder, { recursive: true })
    await until(() => service.list().length === 0, 'the file is forgotten')
    await wait(200)
    await host.write('agent_ada_add_more.ts', adding(2))
    await until(
      () => statusOf(service, 'agent_ada_add_more.ts')?.status === 'loaded',
      'the new file is loaded',
    )
    expect(versionsOf('add_to')).toEqual(['deactivated'])
  })

  test('leaves alone what did not come from it', async () => {
    const service = await open()
    const made = await host.call('ada', 'create_dynamic_tool', {
      name: 'add_to',
      description: 'Adds one',
      inputSchema: 'z.object({ n: z.number() })',
      implementation: 'return input.n + 1',
      examples: [{ input: { n: 1 }, expected: 2 }],
    })
    expect(made).toMatchObject({ success: true, version: 1 })
    await host.approve('add_to', 1)
    await host.write(file, adding(1))
    await service.loadNow(file)
    await rm(join(host.folder, file))
    await until(() => versionsOf('add_to')[1] === 'rejected', 'the file’s proposal is taken back')
    expect(await host.call('ada', 'add_to', { n: 1 })).toBe(2)
  })
})

describe('two agents', () => {
  test('do not overwrite each other: a name is one agent’s, and the other is told', async () => {
    await host.write('agent_ada_add_to.ts', adding(1))
    await host.write('agent_bob_add_to.ts', adding(9))
    const service = await open()
    await service.whenIdle()
    expect(service.list()).toMatchObject([
      { agentId: 'ada', status: 'loaded', version: 1 },
      {
        agentId: 'bob',
        status: 'failed',
        reason: expect.stringContaining('belongs to another owner'),
      },
    ])
    await host.approve('add_to', 1)
    expect(await host.call('ada', 'add_to', { n: 1 })).toBe(2)
    const asBob = await host.invoke({ kind: 'agent', id: 'bob' }, 'add_to', { n: 1 })
    expect(asBob).toMatchObject({ success: false, errorCode: 'TOOL_NOT_FOUND' })
    await rm(join(host.folder, 'agent_bob_add_to.ts'))
    await until(() => service.list().length === 1, 'the file is forgotten')
    expect(await host.call('ada', 'add_to', { n: 1 })).toBe(2)
  })

  test('the name of a tool that was not made is taken', async () => {
    await host.write('agent_ada_create_dynamic_tool.ts', adding(1))
    const service = await open()
    await service.whenIdle()
    expect(service.list()).toMatchObject([
      { status: 'failed', reason: expect.stringContaining('was not made here') },
    ])
  })
})

describe('loadNow', () => {
  test('waits for no debounce, and the watcher then changes nothing', async () => {
    const service = await open({ debounceMs: 200 })
    await host.write(file, adding(1))
    expect(await service.loadNow(file)).toMatchObject({ status: 'loaded', version: 1 })
    await wait(400)
    await service.whenIdle()
    expect(versionsOf('add_to')).toEqual(['approval_required'])
  })

  test('many at once, with the watcher beside them, make one version', async () => {
    const service = await open({ debounceMs: 10 })
    await host.write(file, adding(1))
    const path = join(host.folder, file)
    const statuses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => service.loadNow(index % 2 === 0 ? file : path)),
    )
    await service.whenIdle()
    expect(statuses.map(({ status, version }) => `${status} ${version}`)).toEqual(
      Array.from({ length: 8 }, () => 'loaded 1'),
    )
    expect(versionsOf('add_to')).toEqual(['approval_required'])
  })

  test('no tool is lost, however files are written and loaded', async () => {
    const service = await open({ debounceMs: 30 })
    const names = Array.from({ length: 12 }, (_, index) => `agent_ada_add_${numeral(index)}.ts`)
    await Promise.all(
      names.map(async (name, index) => {
        await host.write(name, adding(index))
        if (index % 3 === 0) await service.loadNow(name)
        if (index % 3 === 1) await wait(index * 7)
        if (index % 4 === 0) await host.write(name, adding(index + 100))
      }),
    )
    await until(() => service.list().length === names.length, 'every file was seen')
    await wait(100)
    await service.whenIdle()
    for (const [index, name] of names.entries()) {
      const status = statusOf(service, name)
      expect(status).toMatchObject({ status: 'loaded' })
      const spec = host.toolsmaker.getSpec(status?.toolName ?? '', status?.version ?? 0)
      expect(JSON.stringify(spec?.definition)).toContain(
        `input.n + ${index % 4 === 0 ? index + 100 : index}`,
      )
    }
  })

  test('tells what failed, and what is not there', async () => {
    const service = await open()
    await host.write(file, 'nonsense(')
    expect(await service.loadNow(file)).toMatchObject({ status: 'failed' })
    expect(await service.loadNow('agent_ada_gone_away.ts')).toMatchObject({
      status: 'failed',
      reason: 'There is no such file.',
    })
    expect(service.list().map((entry) => entry.file)).toEqual([file])
  })

  test('that is aborted throws the reason, and the file is loaded later', async () => {
    const service = await open({ debounceMs: 50 })
    const reason = new Error('enough')
    await expect(service.loadNow(file, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await host.write(
      file,
      adding(1).replace('export const', 'for (let i = 0; i < 3e6; i += 1) void i\nexport const'),
    )
    const ending = new AbortController()
    const loading = service.loadNow(file, { signal: ending.signal })
    setTimeout(() => {
      ending.abort(reason)
    }, 5)
    await expect(loading).rejects.toBe(reason)
    await until(() => statusOf(service, file)?.status === 'loaded', 'the file is loaded')
  })

  test.each(['../agent_ada_x.ts', '/etc/passwd', 'sub/agent_ada_x.ts', 'notes.md', '', '.x.ts'])(
    'refuses %j',
    async (path) => {
      const service = await open()
      const error = await service.loadNow(path).catch((thrown: unknown) => thrown)
      expect(ToolError.is(error, 'DYNAMIC_PATH_INVALID')).toBe(true)
    },
  )

  test('needs a service that runs', async () => {
    const service = host.openService()
    const stopped = { code: 'DYNAMIC_SERVICE_STOPPED' }
    await expect(service.loadNow(file)).rejects.toMatchObject(stopped)
    await service.initialize()
    await service.shutdown()
    await expect(service.loadNow(file)).rejects.toMatchObject(stopped)
    expect(service.list()).toEqual([])
  })
})

describe('starting and stopping', () => {
  test('twice changes nothing, and it can start again', async () => {
    const service = await open({ debounceMs: 20 })
    await service.initialize()
    await service.shutdown()
    await service.shutdown()
    await host.write(file, adding(1))
    await wait(100)
    expect(service.list()).toEqual([])
    await service.initialize()
    await service.whenIdle()
    expect(statusOf(service, file)?.status).toBe('loaded')
  })

  test('in the middle of loading leaves nothing half done', async () => {
    for (let index = 0; index < 10; index += 1)
      await host.write(`agent_ada_add_${numeral(index)}.ts`, adding(index))
    const service = await open({ debounceMs: 0 })
    await service.shutdown()
    const count = host.toolsmaker.listVersions().length
    await wait(200)
    expect(host.toolsmaker.listVersions()).toHaveLength(count)
  })

  test.each([
    ['debounceMs', -1],
    ['debounceMs', 60_001],
    ['maxFileBytes', 0],
    ['maxFiles', 1.5],
    ['maxConcurrent', 33],
    ['pollIntervalMs', 9],
  ])('%s of %d is refused', (name, value) => {
    expect(() => host.openService({ [name]: value })).toThrow(RangeError)
  })

  test('further files than may be are left alone', async () => {
    for (const index of [1, 2, 3])
      await host.write(`agent_ada_add_${numeral(index)}.ts`, adding(index))
    const service = await open({ maxFiles: 2 })
    await service.whenIdle()
    expect(service.list()).toHaveLength(2)
    await expect(service.loadNow('agent_ada_add_aad.ts')).rejects.toMatchObject({
      code: 'DYNAMIC_PATH_INVALID',
    })
  })
})

describe('attacks', () => {
  test('a file is never run by the host', async () => {
    const canary = join(host.directory, 'canary')
    await host.write(
      file,
      `globalThis.escaped = true
       try { (await import('node:fs')).writeFileSync(${JSON.stringify(canary)}, 'x') } catch {}
       try { process.env.ESCAPED = 'yes'; process.exit(1) } catch {}
       try { globalThis.constructor.constructor('return process')().exit(1) } catch {}
       ${adding(1)}`,
    )
    const service = await open()
    await service.whenIdle()
    expect(statusOf(service, file)?.status).toBe('failed')
    expect(globalThis).not.toHaveProperty('escaped')
    expect(process.env['ESCAPED']).toBeUndefined()
    expect(await readdir(host.directory)).not.toContain('canary')
  })

  test('a link, a pipe, a folder, a large file and bytes that are no text are not read', async () => {
    const outside = join(host.directory, 'outside.ts')
    await writeFile(outside, adding(1))
    await symlink(outside, join(host.folder, 'agent_ada_by_symlink.ts'))
    await link(outside, join(host.folder, 'agent_ada_by_hardlink.ts'))
    await promisify(execFile)('mkfifo', [join(host.folder, 'agent_ada_by_pipe.ts')])
    await mkdir(join(host.folder, 'agent_ada_by_folder.ts'))
    await host.write('agent_ada_too_large.ts', `${adding(1)}//${'x'.repeat(1_024)}`)
    await writeFile(join(host.folder, 'agent_ada_no_text.ts'), Buffer.from([0xff, 0xfe, 0x00]))
    const service = await open({ maxFileBytes: 1_024 })
    await service.whenIdle()
    const reasons = Object.fromEntries(
      service.list().map(({ reason, status, toolName }) => [toolName, `${status}: ${reason}`]),
    )
    expect(reasons).toEqual({
      by_symlink: expect.stringContaining('failed: It is a symbolic link'),
      by_hardlink: expect.stringContaining('failed: It has more than one name'),
      by_pipe: 'failed: It is no regular file.',
      by_folder: 'failed: It is no regular file.',
      too_large: expect.stringContaining('at most 1024 are read'),
      no_text: 'failed: It is no text in UTF-8.',
    })
    expect(host.toolsmaker.listVersions()).toEqual([])
  })

  test('a file of exactly the largest size is read', async () => {
    const source = adding(1).padEnd(2_048, '\n')
    await host.write(file, source)
    const service = await open({ maxFileBytes: 2_048 })
    await service.whenIdle()
    expect(statusOf(service, file)?.status).toBe('loaded')
    await host.write(file, `${source} `)
    expect(await service.loadNow(file)).toMatchObject({ status: 'failed' })
  })

  test('a rule that approves what agents propose does not approve a file', async () => {
    await host.close()
    host = await openCodeHost(sandbox, {
      rules: [
        {
          id: 'all-code',
          kinds: ['code'],
          capabilities: [],
          maxRisk: 'high',
          newToolsOnly: false,
          visibility: 'shared',
        },
      ],
    })
    await host.write(file, adding(1))
    const service = await open()
    await service.whenIdle()
    expect(versionsOf('add_to')).toEqual(['approval_required'])
    const agent = host.toolsmaker.forAgent({ kind: 'agent', id: 'ada' })
    const spec = host.toolsmaker.getSpec('add_to', 1)
    if (spec === undefined) throw new Error('There is no spec')
    const { callees: _, contentHash: _hash, createdAt, createdBy, owner, version, ...others } = spec
    const { proposer: _proposer, ...rest } = others
    // What the agent proposes itself falls under the rule.
    const own = await agent.buildTool({ ...rest, callees: [], name: 'add_some' })
    expect([own.status, createdAt.length > 0, createdBy, owner, version]).toEqual([
      'activated',
      true,
      'ada',
      'agent:ada',
      1,
    ])
  })

  test('a file that loops for ever fails, and the next one loads', async () => {
    await host.write('agent_ada_a_loop.ts', 'while (true) {}\nexport default () => 1')
    await host.write(file, adding(1))
    const service = await open()
    await service.whenIdle()
    expect(service.list()).toMatchObject([{ status: 'failed' }, { status: 'loaded' }])
  })
})
