import { type Trust, readLogIdentity } from '@toolcrib/toolsmaker'
import { hostError } from '../../host-error.ts'
import type { CommandContext } from '../program/command-context.ts'
import { type WantedSignature, placeOf } from './wanted-signature.ts'

/** The host opens its log under this name. */
const namespace = 'default'

/**
 * Makes sure that a decision is for the event log in the data folder, and for the one that the trust folder remembers: a signature is
 * worth as much on any other host that has the same approvers. A log that is to be accepted is another one than that, and so is none
 * that anything else is signed for.
 *
 * @throws {ToolError} HOST_UNTRUSTED.
 */
export async function assertOwnLog(
  { folder, prefix }: CommandContext,
  wanted: WantedSignature,
  trust: Trust,
): Promise<void> {
  const { known, store } = await readLogIdentity({ storeDirectory: folder.store, trust, namespace })
  const place = placeOf(wanted)
  const isThere =
    place.namespace === namespace &&
    store !== undefined &&
    place.store === store &&
    (wanted.action !== 'accept_log' || wanted.found.store === store)
  if (!isThere)
    throw hostError(
      'HOST_UNTRUSTED',
      `The host wants something signed for another event log than the one in ${folder.store}. Nothing was signed. Look who runs the host: ${prefix} doctor`,
    )
  if (wanted.action === 'accept_log' || known === undefined || known === store) return
  throw hostError(
    'HOST_UNTRUSTED',
    `The event log in ${folder.store} is not the one that ${folder.trust} remembers. Nothing was signed. Find out what happened to it, then: ${prefix} audit accept`,
  )
}
