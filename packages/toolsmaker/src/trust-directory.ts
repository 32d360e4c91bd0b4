import type { Trust } from './trust.ts'

/** Opens the trust in a folder; makes the folder and the host's key where they are missing. */
export async function openTrustDirectory(
  _directory: string,
  _options: { readonly storeDirectory?: string } = {},
): Promise<Trust> {
  throw new Error('not yet')
}
