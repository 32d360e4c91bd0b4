/** Names, without case and punctuation, under which secrets are usually kept; a key that ends so counts too. */
const secretEndings: readonly string[] = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'secret',
  'apikey',
  'accesskey',
  'accesskeyid',
  'secretkey',
  'privatekey',
  'signingkey',
  'encryptionkey',
  'token',
  'credential',
  'credentials',
  'authorization',
  'cookie',
  'connectionstring',
]

/** Names that count only when they stand alone. */
const secretNames: readonly string[] = ['pwd', 'pass', 'auth', 'jwt', 'bearer', 'sid']

/** Keys whose verdict is remembered; keys come from tools, so the memory is bounded. */
const maxRemembered = 5_000

/** Makes a test for keys under which secrets are usually kept, such as `apiKey`, `X-Api-Key` or `set-cookie`. */
export function createSecretKeyTest(additional: readonly string[]): (key: string) => boolean {
  const endings = [...secretEndings]
  const names = new Set([...secretNames, ...additional.map(normalise)])
  const verdicts = new Map<string, boolean>()
  return (key) => {
    const known = verdicts.get(key)
    if (known !== undefined) return known
    const plain = normalise(key)
    const verdict = names.has(plain) || endings.some((ending) => plain.endsWith(ending))
    if (verdicts.size >= maxRemembered) verdicts.clear()
    if (key.length <= 200) verdicts.set(key, verdict)
    return verdict
  }
}

function normalise(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
