import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { constants, mkdir, open, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { shippingFile } from '../../test/custom-tool-files.ts'
import { openHost, type TestHost } from '../../test/open-host.ts'
import {
  customToolsPrincipal,
  deleteCustomTool,
  loadCustomTools,
  saveCustomTool,
} from '../index.ts'

let host: TestHost
/** Ends the wait of whoever reads a pipe after all, so that one failure stays one. */
let letGo: (() => Promise<void>) | undefined

beforeEach(async () => {
  host = await openHost()
})

afterEach(async () => {
  await letGo?.().catch(() => undefined)
  letGo = undefined
  await host.close()
})

const folder = (): string => join(host.directory, 'custom-tools')

const drop = async (name: string, content: unknown): Promise<void> => {
  await mkdir(folder(), { recursive: true })
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  await writeFile(join(folder(), name), text)
}

const partsOf = ({
  toolsmaker,
  logger,
}: Pick<typeof host, 'logger' | 'toolsmaker'>): Pick<typeof host, 'logger' | 'toolsmaker'> => ({
  toolsmaker,
  logger,
})
const load = (): Promise<number> => loadCustomTools(host.registry, partsOf(host))

const warnings = (): Record<string, unknown> =>
  Object.fromEntries(
    host.lines
      .filter(({ level }) => level === 'warn')
      .map(({ data }) => [String(data['file']).replace('custom-tools/', ''), data['reason']]),
  )

describe('a file in the folder', () => {
  test('becomes a proposal that waits, and is never registered as it is', async () => {
    await drop('shipping_cost.json', shippingFile)
    expect(await load()).toBe(0)
    expect(host.registry.has('shipping_cost')).toBe(false)
    expect(host.toolsmaker.listPending()).toEqual([
      expect.objectContaining({
        name: 'shipping_cost',
        version: 1,
        owner: 'service:custom-tools',
        createdBy: customToolsPrincipal.id,
        visibility: 'shared',
        status: 'approval_required',
      }),
    ])
    expect(host.toolsmaker.getSpec('shipping_cost', 1)?.provenance).toMatchObject({
      source: 'file',
      file: 'custom-tools/shipping_cost.json',
      createdBy: 'toolFactory_compute',
    })
    expect(warnings()).toEqual({})
  })

  test('is not touched while its proposal waits', async () => {
    await drop('shipping_cost.json', shippingFile)
    await load()
    const text = await readFile(join(folder(), 'shipping_cost.json'), 'utf8')
    expect(JSON.parse(text)).toEqual(shippingFile)
  })

  test('is callable by every agent once a person approved it', async () => {
    await drop('shipping_cost.json', shippingFile)
    await load()
    await host.approve('shipping_cost', 1)
    expect(await host.call('bob', 'shipping_cost', { weight_kg: 12 })).toBe(31.5)
    host = await host.restart()
    expect(await load()).toBe(1)
    expect(await host.call('ada', 'shipping_cost', { weight_kg: 12 })).toBe(31.5)
  })

  test('that was seen before changes nothing, however often the host starts', async () => {
    await drop('shipping_cost.json', shippingFile)
    await load()
    for (let start = 0; start < 3; start += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one start after the other
      host = await host.restart()
      // oxlint-disable-next-line no-await-in-loop -- one start after the other
      expect(await load()).toBe(0)
    }
    expect(host.toolsmaker.listVersions('shipping_cost')).toHaveLength(1)
  })

  test('that a person rejected is not proposed again', async () => {
    // The store's own file of the tool would have no template, so only the hash of the file can tell.
    const file = { ...shippingFile, templateSource: 'parcels' }
    await drop('shipping_cost.json', file)
    await load()
    await host.toolsmaker.rejectTool('shipping_cost', 1, { reason: 'no' })
    await drop('shipping_cost.json', file)
    host = await host.restart()
    expect(await load()).toBe(0)
    expect(host.toolsmaker.listVersions('shipping_cost')).toHaveLength(1)
    expect(host.toolsmaker.listPending()).toEqual([])
  })

  const openSharing = async (): Promise<void> => {
    await host.close()
    const rule = {
      id: 'share-all',
      kinds: ['compute'],
      capabilities: [],
      maxRisk: 'high',
      newToolsOnly: false,
      visibility: 'shared',
    } as const
    host = await openHost({ rules: [rule] })
  }

  test('waits even under a policy whose rule lets tools be shared', async () => {
    await openSharing()
    await drop('shipping_cost.json', shippingFile)
    expect(await load()).toBe(0)
    expect(host.registry.has('shipping_cost')).toBe(false)
    host = await host.restart()
    expect(await load()).toBe(0)
    await expect(host.call('ada', 'shipping_cost', { weight_kg: 1 })).rejects.toThrow(
      'TOOL_NOT_FOUND',
    )
  })

  test('that names a person or an agent as its maker gives them no ownership', async () => {
    await drop('shipping_cost.json', { ...shippingFile, createdBy: 'ada' })
    await load()
    await host.approve('shipping_cost', 1)
    expect(
      await host.call('ada', 'toolFactory_deleteCustomTool', { tool_name: 'shipping_cost' }),
    ).toMatchObject({ success: false, errorCode: 'CUSTOM_TOOL_NOT_FOUND' })
    expect(host.registry.has('shipping_cost')).toBe(true)
  })

  test('cannot propose a change to a tool of an agent', async () => {
    await host.call('ada', 'toolFactory_createCompute', {
      tool_name: 'shipping_cost',
      tool_description: 'Ada made this',
      tool_parameters: shippingFile.parameters,
      logic: shippingFile.logic,
    })
    await drop('shipping_cost.json', { ...shippingFile, description: 'Somebody changed this' })
    expect(await load()).toBe(1)
    expect(warnings()['shipping_cost.json']).toContain('belongs to "agent:ada"')
    expect(host.toolsmaker.listVersions('shipping_cost')).toHaveLength(1)
  })

  test('for a tool that would be built in is warned about', async () => {
    const name = 'toolFactory_createCompute'
    await drop(`${name}.json`, { ...shippingFile, name })
    expect(await load()).toBe(0)
    expect(warnings()[`${name}.json`]).toContain('TOOL_NAME_TAKEN')
  })
})

describe('broken files', () => {
  test('beyond the quota of their owner wait together, said once, and are read when there is room', async () => {
    await host.close()
    host = await openHost({ ownerLimits: { pending: 2 } })
    for (const name of ['a_rate', 'b_rate', 'c_rate', 'd_rate'])
      // oxlint-disable-next-line no-await-in-loop -- one file after the other
      await drop(`${name}.json`, { ...shippingFile, name })
    await load()
    expect(host.toolsmaker.listPending().map(({ name }) => name)).toEqual(['a_rate', 'b_rate'])
    expect(host.lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { data: { count: 2, files: ['custom-tools/c_rate.json', 'custom-tools/d_rate.json'] } },
    ])
    await host.toolsmaker.rejectTool('a_rate', 1, { reason: 'no' })
    await load()
    expect(host.toolsmaker.listPending().map(({ name }) => name)).toEqual(['b_rate', 'c_rate'])
  })

  test('are no record of what an agent says that its tool came from', async () => {
    await drop('shipping_cost.json', shippingFile)
    const bytes = await readFile(join(folder(), 'shipping_cost.json'))
    const fileHash = createHash('sha256').update(bytes).digest('hex')
    const eve = host.toolsmaker.forAgent({ kind: 'agent', id: 'eve' })
    await eve.buildToolFromIntent({
      name: 'shipping_cost',
      purpose: 'Gives one',
      inputs: { a: { type: 'number' } },
      definition: { steps: [{ op: 'return', value: 'a' }] },
      examples: [{ input: { a: 1 }, expected: 1 }],
      provenance: { fileHash },
    })
    expect(await readFile(join(folder(), 'shipping_cost.json'))).toEqual(bytes)
    const found = await host.toolsmaker.readUnrecordedCustomTools()
    expect(found.map(({ file }) => file)).toEqual(['custom-tools/shipping_cost.json'])
  })

  test('are warned about by name and reason, skipped and left alone; the others are read', async () => {
    await drop('not_json.json', '{ "name": ')
    await drop('is_a_list.json', [])
    await drop('unknown_op.json', {
      ...shippingFile,
      name: 'unknown_op',
      logic: { steps: [{ op: 'exec', code: 'x' }] },
    })
    await drop('no_fields.json', { name: 'no_fields' })
    await drop('renamed.json', shippingFile)
    await drop('workflow.json', {
      ...shippingFile,
      name: 'workflow',
      type: 'n8n',
      logic: undefined,
      n8nWorkflowId: '1',
    })
    await drop('huge.json', `"${'x'.repeat(50 * 1_024 * 1_024)}"`)
    await drop('deep.json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    await mkdir(join(folder(), 'folder.json'))
    await drop('shipping_cost.json', shippingFile)
    const before = await readdir(folder())

    expect(await load()).toBe(0)

    expect(warnings()).toEqual({
      'not_json.json': expect.stringContaining('JSON'),
      'is_a_list.json': expect.stringContaining('object'),
      'unknown_op.json': expect.stringContaining('logic.steps[0].op: there is no operation "exec"'),
      'no_fields.json': expect.stringMatching(/description: .*type: .*parameters: /),
      'renamed.json': expect.stringContaining('must be called shipping_cost.json'),
      'workflow.json': expect.stringContaining('CUSTOM_TOOL_UNSUPPORTED'),
      'huge.json': expect.stringContaining('bytes'),
      'deep.json': expect.any(String),
      'folder.json': expect.any(String),
    })
    expect(host.toolsmaker.listVersions().map(({ name }) => name)).toEqual(['shipping_cost'])
    expect(await readdir(folder())).toEqual(before)
  })

  test('a link out of the folder and a pipe are not followed and do not hang', async () => {
    await mkdir(folder(), { recursive: true })
    const pipe = join(folder(), 'pipe.json')
    execFileSync('mkfifo', [pipe])
    letGo = async () => {
      const writer = await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
      await writer.close()
    }
    const outside = join(host.directory, 'outside.json')
    await writeFile(outside, JSON.stringify({ ...shippingFile, name: 'link' }))
    await symlink(outside, join(folder(), 'link.json'))
    await symlink(join(host.directory, 'nowhere.json'), join(folder(), 'dangling.json'))
    expect(await load()).toBe(0)
    expect(Object.keys(warnings()).toSorted()).toEqual(['dangling.json', 'link.json', 'pipe.json'])
    expect(host.toolsmaker.listVersions()).toEqual([])
  }, 5_000)

  test('a file whose program fails its own inputs is refused once and kept on record', async () => {
    const logic = {
      steps: [
        { op: 'math', expression: '1 / 0', output: 'a' },
        { op: 'return', value: 'a' },
      ],
    }
    await drop('shipping_cost.json', { ...shippingFile, logic })
    expect(await load()).toBe(0)
    expect(warnings()['shipping_cost.json']).toContain('add an example')
    await drop('shipping_cost.json', { ...shippingFile, logic })
    host = await host.restart()
    await load()
    expect(host.toolsmaker.listVersions('shipping_cost')).toHaveLength(1)
  })

  test('a folder that cannot be read is warned about', async () => {
    const toolsmaker = {
      ...host.toolsmaker,
      readUnrecordedCustomTools: () => Promise.reject(new Error('disk on fire')),
    }
    expect(await loadCustomTools(host.registry, { toolsmaker, logger: host.logger })).toBe(0)
    expect(host.lines).toEqual([
      expect.objectContaining({ level: 'warn', data: { reason: 'disk on fire' } }),
    ])
  })

  test('an abort ends loading between two files', async () => {
    await drop('shipping_cost.json', shippingFile)
    const signal = AbortSignal.abort(new Error('stop'))
    await expect(loadCustomTools(host.registry, { ...partsOf(host), signal })).rejects.toThrow(
      'stop',
    )
    expect(host.toolsmaker.listVersions()).toEqual([])
  })
})

describe('saving and deleting by a program', () => {
  const principal = { kind: 'agent', id: 'ada' } as const

  test('a custom tool is saved for its principal, whoever it says made it', async () => {
    const tool = { ...shippingFile, createdBy: 'grace' }
    const examples = [{ input: { weight_kg: 12 }, expected: 31.5 }]
    const outcome = await saveCustomTool(tool, { toolsmaker: host.toolsmaker, principal, examples })
    expect(outcome).toMatchObject({
      status: 'activated',
      spec: { owner: 'agent:ada', createdBy: 'ada' },
    })
    expect(await host.call('ada', 'shipping_cost', { weight_kg: 12 })).toBe(31.5)
  })

  test('an invalid custom tool is refused with every wrong field', async () => {
    const tool = { ...shippingFile, type: 'x', riskLevel: 'y' } as never
    await expect(
      saveCustomTool(tool, { toolsmaker: host.toolsmaker, principal }),
    ).rejects.toMatchObject({
      code: 'CUSTOM_TOOL_INVALID',
      message: expect.stringMatching(/type: .*riskLevel: /),
    })
  })

  test('a tool is deleted by its owner only', async () => {
    await saveCustomTool(shippingFile, { toolsmaker: host.toolsmaker, principal })
    await expect(
      deleteCustomTool('shipping_cost', {
        toolsmaker: host.toolsmaker,
        principal: { kind: 'agent', id: 'bob' },
      }),
    ).rejects.toMatchObject({ code: 'CUSTOM_TOOL_NOT_FOUND' })
    const deletion = await deleteCustomTool('shipping_cost', {
      toolsmaker: host.toolsmaker,
      principal,
    })
    expect(deletion).toMatchObject({
      toolName: 'shipping_cost',
      deactivated: { version: 1, status: 'deactivated' },
      withdrawn: [],
    })
    expect(host.registry.has('shipping_cost')).toBe(false)
  })

  test('the file that the store writes is one that another host takes', async () => {
    await saveCustomTool(shippingFile, { toolsmaker: host.toolsmaker, principal })
    const text = await readFile(join(folder(), 'shipping_cost.json'), 'utf8')
    expect(await load()).toBe(1)
    expect(warnings()).toEqual({})
    const other = await openHost()
    try {
      await mkdir(join(other.directory, 'custom-tools'), { recursive: true })
      await writeFile(join(other.directory, 'custom-tools', 'shipping_cost.json'), text)
      expect(await loadCustomTools(other.registry, partsOf(other))).toBe(0)
      expect(other.toolsmaker.listPending()).toMatchObject([{ name: 'shipping_cost' }])
    } finally {
      await other.close()
    }
  })
})
