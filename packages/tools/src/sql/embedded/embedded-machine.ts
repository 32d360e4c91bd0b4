import { posix } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'

/** The embedded machine's own parts, as PGlite exposes them. */
type Machine = PGlite['Module']

/** PGlite's number for the jump that every error of a statement makes. Any other exception leaves the server in any state. */
const errorJump = 100

/** Numbers of the C library of the embedded machine. */
const operationNotPermitted = 63
const noSuchFile = 44
const truncates = 512

const dataFolder = '/pglite/data/'

/** What the server itself writes over in its folder. */
const ownFiles = /\.tmp$|\/pgsql_tmp|\/pg_internal\.init\.\d+$/

/** PGlite reads them from a call's options, which there are none of, and throws what ends the server. */
const brokenDevices: ReadonlySet<string> = new Set(['/dev/blob', '/dev/random'])

/**
 * Tells of exceptions that are no errors of a statement. PGlite passes over them and goes on with a server that stopped
 * anywhere: it would give a statement that failed as one that worked, or never come back.
 *
 * @param fail - ends the thread
 */
export function watchMachine(machine: Machine, fail: (error: unknown) => void): void {
  const { _PostgresMainLoopOnce: loopOnce, _PostgresMainLongJmp: recover } = machine
  const watched = (work: () => void, isExpected: (error: unknown) => boolean) => (): void => {
    try {
      work()
    } catch (error) {
      if (!isExpected(error)) fail(causeOf(error))
      throw error
    }
  }
  Object.assign(machine, {
    _PostgresMainLoopOnce: watched(loopOnce, (error) => statusOf(error) === errorJump),
    _PostgresMainLongJmp: watched(recover, () => false),
  })
}

/**
 * Refuses files that a statement would break the server with: the agent is a superuser there, whose COPY and large objects
 * may write over the server's own files, so that it never starts again.
 */
export function guardFiles({ FS: files }: Machine): void {
  const { open } = files
  const refuse = (code: number): never => {
    throw new files.ErrnoError(code)
  }
  files.open = (path: unknown, flags: unknown, ...rest: unknown[]) => {
    if (typeof path === 'string') {
      const place = posix.resolve(files.cwd(), path)
      if (brokenDevices.has(place)) refuse(noSuchFile)
      const writesOver = typeof flags === 'string' ? flags.includes('w') : Number(flags) & truncates
      if (writesOver && place.startsWith(dataFolder) && !ownFiles.test(place))
        refuse(operationNotPermitted)
    }
    return (open as (...all: unknown[]) => ReturnType<typeof open>)(path, flags, ...rest)
  }
}

/** The stream that the server gets when it wants to run a command: none, and the reason. */
export function refuseCommand(machine: Machine): number {
  const { ___errno_location: errorPlace, HEAPU8: memory } = machine as unknown as CLibrary
  new DataView(memory.buffer).setInt32(errorPlace(), operationNotPermitted, true)
  return 0
}

interface CLibrary {
  readonly ___errno_location: () => number
  readonly HEAPU8: Uint8Array
}

const statusOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined

/** What ends the thread: an exception, or the server that exits by itself. */
const causeOf = (error: unknown): unknown =>
  statusOf(error) === undefined ? error : new Error('the server ended itself')
