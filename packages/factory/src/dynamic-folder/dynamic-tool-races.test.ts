import { readdir, readFile, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createSandbox } from '@toolcrib/sandbox'
import { createMemoryEventStore } from '@toolcrib/toolsmaker'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { adding, numeral, until } from '../../test/dynamic-sources.ts'
import { type CodeHost, openCodeHost } from '../../test/open-code-host.ts'
import type { DynamicToolService } from '../index.ts'

const sandbox = createSandbox({ maxWorkers: 1 })
const file = 'agent_ada_add_to.ts'
let host: CodeHost

beforeEach(async () => {
  host = await openCodeHost(sandbox, {}, { store: createMemoryEventStore() })
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
  const service = host.openService({ debounceMs: 50, ...options })
  await service.initialize()
  return service
}

const at = (name: string): string => join(host.folder, name)
const statusesOf = (name: string): readonly string[] =>
  host.toolsmaker.listVersions(name).map(({ status }) => status)

describe('a folder at rest', () => {
  /** Numbers that look random and are the same each time. */
  const chance = (seed: number): ((below: number) => number) => {
    let state = seed
    return (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
  }

  const act = async (
    service: DynamicToolService,
    next: (below: number) => number,
  ): Promise<void> => {
    const pick = (): string => `agent_ada_add_${numeral(next(5))}.ts`
    const [name, other, source] = [pick(), pick(), adding(next(4))]
    const none = (): undefined => undefined
    switch (next(8)) {
      case 0:
      case 1:
        return writeFile(at(name), source)
      case 2:
        await writeFile(at(`${name}.tmp`), source)
        return rename(at(`${name}.tmp`), at(name))
      case 3:
        // As old as it can be: its time says nothing about when it came here.
        await writeFile(at('4913'), source)
        await utimes(at('4913'), 1, 1)
        return rename(at('4913'), at(name))
      case 4:
        return unlink(at(name)).catch(none)
      case 5:
        return rename(at(name), at(other)).catch(none)
      case 6:
        await service.loadNow(name)
        return
      default:
        await writeFile(at(name), source.slice(0, 40))
        await wait(next(40))
        return writeFile(at(name), source)
    }
  }

  test.each([1, 2, 3])('is what the list says, whatever was done to it (%d)', async (seed) => {
    const service = await open({ debounceMs: 30 })
    const next = chance(seed)
    for (let left = 40; left > 0; left -= 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await act(service, next)
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (next(3) === 0) await wait(next(60))
    }
    const names = (await readdir(host.folder)).filter((name) => name.endsWith('.ts')).toSorted()
    const wanted = await Promise.all(
      names.map(async (name) => `${name} loaded ${await readFile(at(name), 'utf8')}`),
    )
    const listed = (): readonly string[] =>
      service.list().map(({ file: name, status, toolName = '', version = 0 }) => {
        const definition = host.toolsmaker.getSpec(toolName, version)?.definition
        return `${name} ${status} ${(definition as { source?: string } | undefined)?.source}`
      })
    await until(() => JSON.stringify(listed()) === JSON.stringify(wanted), 'they are equal').catch(
      () => undefined,
    )
    expect(listed()).toEqual(wanted)
    const waiting = host.toolsmaker.listPending().map(({ name, version }) => `${name} ${version}`)
    const versions = service.list().map(({ toolName, version }) => `${toolName} ${version}`)
    expect(waiting.toSorted()).toEqual(versions.toSorted())
  })
})

describe('a file that changes', () => {
  test('leaves one proposal waiting, and what it said before can come back', async () => {
    const service = await open()
    for (const n of [1, 2, 3]) {
      await host.write(file, adding(n))
      await service.loadNow(file)
    }
    expect(statusesOf('add_to')).toEqual(['rejected', 'rejected', 'approval_required'])
    await host.write(file, adding(1))
    expect(await service.loadNow(file)).toMatchObject({ status: 'loaded', version: 4 })
    expect(host.toolsmaker.listPending()).toMatchObject([{ name: 'add_to', version: 4 }])
  })

  test('back to what is in use takes back what waits', async () => {
    const service = await open()
    await host.write(file, adding(1))
    await service.loadNow(file)
    await host.approve('add_to', 1)
    await host.write(file, adding(2))
    await service.loadNow(file)
    await host.write(file, adding(1))
    expect(await service.loadNow(file)).toMatchObject({ version: 1, lifecycleStatus: 'activated' })
    expect(statusesOf('add_to')).toEqual(['activated', 'rejected'])
  })

  test('leaves alone what its agent proposed in another way', async () => {
    const made = await host.call('ada', 'create_dynamic_tool', {
      name: 'add_to',
      description: 'Adds one',
      inputSchema: 'z.object({ n: z.number() })',
      implementation: 'return input.n + 1',
      examples: [{ input: { n: 1 }, expected: 2 }],
    })
    expect(made).toMatchObject({ success: true, version: 1 })
    const service = await open()
    await host.write(file, adding(1))
    await service.loadNow(file)
    expect(statusesOf('add_to')).toEqual(['approval_required', 'approval_required'])
  })

  test('and was turned down says why each time it is looked at', async () => {
    const service = await open()
    await host.write(file, adding(1).replace('+ 1\n', '+ 2\n'))
    const first = await service.loadNow(file)
    expect(first.reason).toBe('It was rejected: With {"n":1}: Expected 2, got 3.')
    expect(await service.loadNow(file)).toEqual(first)
  })
})

describe('a file that goes', () => {
  test('for a moment, while it is saved, stays in use', async () => {
    const service = await open({ debounceMs: 300 })
    await host.write(file, adding(1))
    await service.loadNow(file)
    await host.approve('add_to', 1)
    await rename(at(file), at(`${file}~`))
    expect(await service.loadNow(file)).toMatchObject({
      status: 'failed',
      reason: 'There is no such file.',
    })
    await host.write(file, adding(1))
    await wait(700)
    await service.whenIdle()
    expect(service.list()).toMatchObject([{ status: 'loaded', lifecycleStatus: 'activated' }])
  })

  test('for good, and is asked for, goes out of use', async () => {
    const service = await open()
    await host.write(file, adding(1))
    await service.loadNow(file)
    await host.approve('add_to', 1)
    await rm(at(file))
    await service.loadNow(file)
    await until(() => service.list().length === 0, 'the file is forgotten')
    expect(host.registry.has('add_to')).toBe(false)
  })

  test('in the moment in which it is approved goes out of use', async () => {
    const service = await open({
      toolsmaker: {
        ...host.toolsmaker,
        forAgent: (principal) => {
          const agent = host.toolsmaker.forAgent(principal)
          return {
            ...agent,
            withdraw: async (name, version, reason) => {
              await host.approve(name, version)
              return agent.withdraw(name, version, reason)
            },
          }
        },
      },
    })
    await host.write(file, adding(1))
    await service.loadNow(file)
    await rm(at(file))
    await until(() => service.list().length === 0, 'the file is forgotten')
    expect(statusesOf('add_to')).toEqual(['deactivated'])
    expect(host.lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('leaves its name to the file of another agent', async () => {
    const service = await open()
    await host.write(file, adding(1))
    await service.loadNow(file)
    await host.write('agent_bob_add_to.ts', adding(2))
    expect(await service.loadNow('agent_bob_add_to.ts')).toMatchObject({ status: 'failed' })
    await rm(at(file))
    const isBobs = (): boolean =>
      service.list().length === 1 && service.list()[0]?.status === 'loaded'
    await until(isBobs, 'the other file is loaded')
    expect(service.list()).toMatchObject([{ file: 'agent_bob_add_to.ts', version: 2 }])
  })

  test('makes room for one that was left alone', async () => {
    const names = [1, 2, 3].map((index) => `agent_ada_add_${numeral(index)}.ts`)
    for (const name of names) await host.write(name, adding(1))
    const service = await open({ maxFiles: 2 })
    await service.whenIdle()
    await rm(at(names[0] ?? ''))
    await until(
      () =>
        service
          .list()
          .map((entry) => entry.file)
          .join() === names.slice(1).join(),
      'the third is listed',
    )
    await service.whenIdle()
    expect(service.list()).toMatchObject([{ status: 'loaded' }, { status: 'loaded' }])
  })

  test('while nobody watched goes out of use, however full the folder is', async () => {
    const service = await open()
    await host.write(file, adding(1))
    await service.loadNow(file)
    await host.approve('add_to', 1)
    await service.shutdown()
    await rm(at(file))
    await host.write('agent_ada_add_more.ts', adding(2))
    const again = await open({ maxFiles: 1 })
    await until(() => !host.registry.has('add_to'), 'the tool is out of use')
    await again.whenIdle()
    expect(again.list()).toMatchObject([{ file: 'agent_ada_add_more.ts', status: 'loaded' }])
  })
})

describe('stopping and starting', () => {
  test('at once loads what is there', async () => {
    await host.write(file, adding(1))
    const service = await open()
    await service.whenIdle()
    const stopped = service.shutdown()
    await service.initialize()
    await stopped
    await until(() => service.list()[0]?.status === 'loaded', 'the file is loaded')
    expect(service.list()).toMatchObject([{ file, version: 1 }])
  })

  test('the last word counts', async () => {
    const service = await open()
    await host.write(file, adding(1))
    await Promise.all([service.shutdown(), service.initialize(), service.shutdown()])
    await expect(service.loadNow(file)).rejects.toMatchObject({ code: 'DYNAMIC_SERVICE_STOPPED' })
    expect(service.list()).toEqual([])
  })

  test('a second stop waits for the first', async () => {
    for (const index of [1, 2, 3, 4])
      await host.write(`agent_ada_add_${numeral(index)}.ts`, adding(index))
    const service = await open({ debounceMs: 0 })
    void service.shutdown()
    await service.shutdown()
    const count = host.toolsmaker.listVersions().length
    await wait(300)
    expect(host.toolsmaker.listVersions()).toHaveLength(count)
  })

  test('whoever waits for a load behind another one can stop waiting', async () => {
    const service = await open()
    await host.write(file, 'while (true) {}\nexport default () => 1')
    const looping = service.loadNow(file)
    const ending = new AbortController()
    const reason = new Error('enough')
    const second = service.loadNow(file, { signal: ending.signal })
    ending.abort(reason)
    const isLooping = looping.then(
      () => false,
      () => false,
    )
    const isAborted = second.catch((error: unknown) => error === reason)
    expect(await Promise.race([isLooping, isAborted])).toBe(true)
    const stopped = service.shutdown()
    await isLooping
    await stopped
  })
})

test('a folder that is reached through a link is watched', async () => {
  const directory = `${host.folder}-link`
  await symlink(host.folder, directory)
  try {
    const service = await open({ directory })
    await host.write(file, adding(1))
    await until(() => service.list()[0]?.status === 'loaded', 'the file is loaded')
    expect(await service.loadNow(join(directory, file))).toMatchObject({ status: 'loaded' })
  } finally {
    await unlink(directory)
  }
})
