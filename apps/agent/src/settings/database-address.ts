import type { DeniedService } from '@toolcrib/policy/http'

/** What must be kept from tools about a database that the host itself uses. */
export interface DatabaseAddress {
  /** Where it listens. */
  readonly services: readonly DeniedService[]
  /** Texts that must never stand in an output or a log. */
  readonly secrets: readonly string[]
}

const defaultPort = 5432

/**
 * Takes a PostgreSQL connection string apart. Nothing is thrown for one that cannot be read: the driver will say so, and the
 * whole text counts as a secret.
 */
export function readDatabaseAddress(connectionString: string): DatabaseAddress {
  const url = URL.parse(connectionString)
  if (url === null) return { services: [], secrets: [connectionString] }
  // The driver lets parameters of the address stand above the address itself.
  const host = url.searchParams.get('host') ?? decode(url.hostname)
  const port = Number(url.searchParams.get('port') ?? (url.port || defaultPort))
  const password = url.searchParams.get('password') ?? url.password
  const user = url.searchParams.get('user') ?? url.username
  return {
    services: host.startsWith('/') ? [] : [{ host: host === '' ? 'localhost' : host, port }],
    secrets: [connectionString, ...listPasswords({ password, user, url })],
  }
}

/**
 * The password as it is written and as it is meant. One that equals the name of the user or the database is searched for only
 * together with it: the word alone, such as `postgres`, stands in many texts that hold no secret.
 */
function listPasswords({
  password,
  user,
  url,
}: {
  readonly password: string
  readonly user: string
  readonly url: URL
}): readonly string[] {
  if (password === '') return []
  const words = [user, decode(user), url.pathname.slice(1)]
  if (words.includes(password)) return [`${user}:${password}`]
  return [...new Set([password, decode(password)])]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
