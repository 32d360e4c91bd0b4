import { generate } from 'selfsigned'

/** A key and its certificate, in PEM. */
export interface KeyAndCertificate {
  readonly key: string
  readonly cert: string
}

const dayMs = 86_400_000

/** An authority that lives as long as the tests. */
export async function createAuthority(): Promise<KeyAndCertificate> {
  const made = await generate([{ name: 'commonName', value: 'Authority of the tests' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  })
  return { key: made.private, cert: made.cert }
}

/** A certificate for names, addresses or both; without an authority it is self-signed. */
export async function createCertificate(
  names: readonly string[],
  options: { readonly authority?: KeyAndCertificate; readonly hasExpired?: boolean } = {},
): Promise<KeyAndCertificate> {
  const { authority, hasExpired = false } = options
  const start = Date.now() - 3 * dayMs
  const made = await generate([{ name: 'commonName', value: names[0] ?? 'test' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(start),
    notAfterDate: new Date(start + (hasExpired ? 1 : 30) * dayMs),
    extensions: [
      { name: 'basicConstraints', cA: false },
      {
        name: 'subjectAltName',
        altNames: names.map((name) =>
          /^[\d.]+$|:/.test(name) ? { type: 7, ip: name } : { type: 2, value: name },
        ),
      },
    ],
    ...(authority === undefined ? {} : { ca: authority }),
  })
  return { key: made.private, cert: made.cert }
}
