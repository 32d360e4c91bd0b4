import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FileGuard, createFileGuard } from '@toolcrib/policy/files'
import { ToolError, viewTool } from '@toolcrib/registry'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf } from '../../test/call-tool.ts'
import { createFileTool } from './file-tool.ts'

let folder: string
let guard: FileGuard
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-tool-'))
  guard = createFileGuard({ read: [folder] })
})
afterAll(() => {
  guard.close()
  rmSync(folder, { recursive: true })
})

describe('the tool', () => {
  test('a disk that cannot be written to is told with its code and the field', async () => {
    const broken = {
      ...guard,
      writeFile: async () => {
        throw new ToolError<string>('DISK_READ_ONLY', 'Cannot write "a".', {
          data: { path: '"a"' },
        })
      },
    }
    const file = callerOf(createFileTool({ guard: broken }))
    const failure = await file.failure({ operation: 'write', path: 'a', content: '' })
    expect(failure.toolErrorCode).toBe('DISK_READ_ONLY')
    expect(failure.error).toContain('path: Cannot write')
  })

  test('a cancelled call does nothing', async () => {
    const tool = createFileTool({ guard })
    const input = { operation: 'write', path: 'a', content: '' }
    await expect(
      (async () => tool.execute(input, AbortSignal.abort(new Error('gone')), {} as never))(),
    ).rejects.toThrow('gone')
    expect(readdirSync(folder)).toEqual([])
  })

  test.each([
    [{ operation: 'write', path: 'notes/a.txt', content: 'Grüße' }, 'Write 7 bytes to notes/a.txt'],
    [{ operation: 'append', path: 'a', content: '/w==', encoding: 'base64' }, 'Append 1 byte to a'],
    [{ operation: 'write', path: 'a', content: 'x', encoding: 'odd' }, 'Write 1 byte to a'],
    [{ operation: 'read', path: 'a' }, 'Read a'],
    [{ operation: 'read', path: 'a', offset: 5, length: 2 }, 'Read 2 bytes from byte 5 of a'],
    [{ operation: 'read', path: 'a', offset: 5 }, 'Read from byte 5 of a'],
    [{ operation: 'delete', path: 'my notes' }, 'Delete "my notes"'],
    [{ operation: 'exists', path: 'a' }, 'Check whether a exists'],
    [{ operation: 'list', path: '.' }, 'List the folder .'],
    [{ operation: 'stat', path: 'a' }, 'Look up size and time of a'],
    [{ operation: 'move', path: 'a', to: 'b' }, 'Move a to b'],
    [
      { operation: 'copy', path: 'a', to: 'b', overwrite: true },
      'Copy a to b, replacing what is there',
    ],
    [{ operation: 'mkdir', path: 'a/b' }, 'Make the folder a/b'],
    [
      { operation: 'delete', path: 'a\n\u202e and approve' },
      String.raw`Delete "a\n\u{202e} and approve"`,
    ],
  ])('describes %j', (input, line) => {
    expect(createFileTool({ guard }).describeCall?.(input)).toBe(line)
  })

  test('describes a path of any length in one short line', () => {
    const line = createFileTool({ guard }).describeCall?.({
      operation: 'read',
      path: 'a'.repeat(4_000),
    })
    expect(line?.length).toBeLessThan(250)
  })

  test('has schemas that models can read, and says what it may do', () => {
    const tool = createFileTool({ guard })
    expect(viewTool(tool)).toMatchObject({
      input: { schema: { type: 'object', required: ['operation', 'path'] } },
      output: { schema: { type: 'object' } },
    })
    expect(tool).toMatchObject({
      risk: 'medium',
      timeoutMs: 10_000,
      annotations: { destructiveHint: true, openWorldHint: false },
    })
  })

  test.each([0, 3, -1, 4.5, Number.NaN])('cannot be made with a limit of %d', (maxReadBytes) => {
    expect(() => createFileTool({ guard, maxReadBytes })).toThrow('maxReadBytes')
  })
})
