import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type ChildProgram, describeChild } from './child-command.ts'
import { sandboxError } from '../error-catalogue.ts'
import type { ChildCommand } from './process-lane.ts'

/**
 * The child process in namespaces of its own: no network, no other process, and of the files only the libraries that Node
 * has loaded, Node and this package, all read-only.
 *
 * @throws {ToolError} SANDBOX_UNAVAILABLE when bubblewrap is missing or may not make namespaces
 */
export function bubblewrapCommand(): ChildCommand {
  const program = describeChild(false)
  const command = { file: 'bwrap', args: [...wrapperArgs(program), program.node, ...program.args] }
  const problem = process.platform === 'linux' ? tryOut(program) : 'it exists on Linux only'
  if (problem !== undefined)
    throw sandboxError('SANDBOX_UNAVAILABLE', `The mode bubblewrap cannot be used: ${problem}`)
  return command
}

let outcome: { readonly problem: string | undefined } | undefined

/** Whether Node starts in the wrapper; found out once in a process. */
function tryOut(program: ChildProgram): string | undefined {
  if (outcome !== undefined) return outcome.problem
  const args = [...wrapperArgs(program), program.node, '--version']
  const { error, status } = spawnSync('bwrap', args, {
    cwd: '/',
    stdio: 'ignore',
    timeout: 10_000,
  })
  const problem =
    error !== undefined
      ? 'the program bwrap is not there (install the package bubblewrap)'
      : status === 0
        ? undefined
        : 'bwrap may not make namespaces here, or Node does not start in them'
  outcome = { problem }
  return problem
}

function wrapperArgs(program: ChildProgram): string[] {
  const reads = [program.node, ...listLibraries(), ...program.reads]
  return [
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--clearenv',
    '--cap-drop',
    'ALL',
    ...listRootLinks(),
    ...reads.flatMap((path) => ['--ro-bind', path, path]),
    '--chdir',
    '/',
    '--',
  ]
}

/** `/lib` and its kin, where they are links into `/usr`: the loader looks there. */
function listRootLinks(): string[] {
  return ['/lib', '/lib32', '/lib64', '/libx32'].flatMap((path) =>
    existsSync(path) && lstatSync(path).isSymbolicLink()
      ? ['--symlink', readlinkSync(path), path]
      : [],
  )
}

/** The shared libraries of this process, under every name by which the loader may ask for them. */
function listLibraries(): string[] {
  const found = new Set<string>()
  for (const line of readFileSync('/proc/self/maps', 'utf8').split('\n')) {
    const path = line.slice(line.indexOf('/'))
    if (!/\.so(\.\d+)*$/.test(path) || !line.includes('/')) continue
    found.add(path)
    for (let name = path; /\.so\.[\d.]*\d$/.test(name);) {
      name = name.slice(0, name.lastIndexOf('.'))
      if (existsSync(name)) found.add(name)
    }
  }
  for (const loader of listLoaders()) found.add(loader)
  return [...found]
}

const loaders = [
  'ld-linux-x86-64.so.2',
  'ld-linux-aarch64.so.1',
  'ld-musl-x86_64.so.1',
  'ld-musl-aarch64.so.1',
]

/** The loader has a fixed name in a folder of its own, and is a link there as often as not. */
function listLoaders(): string[] {
  return ['/usr/lib64', '/lib64', '/usr/lib', '/lib']
    .filter((folder) => existsSync(folder) && !lstatSync(folder).isSymbolicLink())
    .flatMap((folder) => loaders.map((name) => join(folder, name)))
    .filter((path) => existsSync(path))
}
