import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sandboxError } from '../error-catalogue.ts'
import { guestLocation, wasmLocation } from '../guest-files.ts'
import type { ChildCommand } from './process-lane.ts'

/** What a child process has to read, and how Node is started in it. */
export interface ChildProgram {
  readonly node: string
  /** Files and folders. */
  readonly reads: readonly string[]
  readonly args: readonly string[]
}

/**
 * Node under its permission model, with leave to read this package and nothing else.
 *
 * @param watchesParent whether the child ends itself when this process is gone
 * @throws {ToolError} SANDBOX_UNAVAILABLE when this is no Node with a permission model
 */
export function describeChild(watchesParent: boolean): ChildProgram {
  if (!process.allowedNodeEnvironmentFlags.has('--permission'))
    throw sandboxError(
      'SANDBOX_UNAVAILABLE',
      'The modes process and bubblewrap need a Node.js with --permission (22.13 or newer)',
    )
  const folder = realpathSync(dirname(fileURLToPath(guestLocation)))
  const wasm = realpathSync(fileURLToPath(wasmLocation()))
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const reads = [folder, join(dirname(folder), 'package.json'), wasm]
  return {
    node: process.execPath,
    reads,
    args: [
      '--permission',
      ...reads.map((path) => `--allow-fs-read=${path}`),
      ...(watchesParent ? ['--allow-worker'] : []),
      '--disallow-code-generation-from-strings',
      '--disable-proto=delete',
      realpathSync(fileURLToPath(new URL(`./sandbox-child.${extension}`, import.meta.url))),
      wasm,
      ...(watchesParent ? [String(process.pid)] : []),
    ],
  }
}

export function processCommand(): ChildCommand {
  const { node, args } = describeChild(true)
  return { file: node, args }
}
