import { lstat, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hostError } from '../host-error.ts'

/**
 * Makes sure that whoever listens on a socket is a program of this user: the socket is ours, and nobody else could have put another
 * into its folder. A socket that is not there is left to be found missing.
 *
 * @throws {ToolError} HOST_UNTRUSTED.
 */
export async function assertOwnSocket(path: string): Promise<void> {
  const uid = process.getuid?.()
  if (uid === undefined) return
  const socket = await lstat(path).catch(() => undefined)
  if (socket === undefined) return
  if (!socket.isSocket() || socket.uid !== uid)
    throw untrusted(`${path} is not a socket of this user`)
  const folder = await realpath(dirname(path))
  const { mode, uid: owner } = await lstat(folder)
  if (owner !== uid) throw untrusted(`the folder ${folder} belongs to another user`)
  if ((mode & 0o022) !== 0)
    throw untrusted(`others can write to the folder ${folder}. To mend it: chmod go-w ${folder}`)
}

function untrusted(problem: string): Error {
  return hostError(
    'HOST_UNTRUSTED',
    `Whoever answers there may be somebody else: ${problem}. Nothing was asked.`,
  )
}
