import { X509Certificate } from 'node:crypto'
// Not by name: Node 22.13 and 22.14 lack `getCACertificates`.
import tls, { type SecureContext } from 'node:tls'
import { policyError } from '../error-catalogue.ts'

const maxRemembered = 16
/** Reading Node's authorities anew takes about 100 ms, so guards with the same further ones share a context. */
const remembered = new Map<string, SecureContext>()

/** What connections trust: Node's authorities and the given ones. */
export function trustedContext(certificateAuthorities: readonly string[]): SecureContext {
  const key = certificateAuthorities.join('\n')
  const known = remembered.get(key)
  if (known !== undefined) return known
  // Authorities that are given replace Node's, so those are added again.
  const context = tls.createSecureContext(
    certificateAuthorities.length === 0
      ? {}
      : { ca: [...usualAuthorities(), ...certificateAuthorities] },
  )
  if (remembered.size >= maxRemembered) remembered.clear()
  remembered.set(key, context)
  return context
}

/** @throws {ToolError} POLICY_INVALID naming the entry that is no certificate */
export function assertAuthorities(certificateAuthorities: readonly string[]): void {
  for (const [index, pem] of certificateAuthorities.entries())
    try {
      void new X509Certificate(pem)
    } catch (error) {
      throw policyError(
        'POLICY_INVALID',
        `certificateAuthorities[${index}]: it is no certificate in PEM ("-----BEGIN CERTIFICATE-----").`,
        { cause: error },
      )
    }
}

/** NODE_EXTRA_CA_CERTS counts where Node tells of it. */
function usualAuthorities(): readonly string[] {
  const { getCACertificates } = tls as Partial<typeof tls>
  return getCACertificates?.() ?? tls.rootCertificates
}
