import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { hashText, assertOptions } from '@toolcrib/registry'
import type { CookieStore } from '@toolcrib/policy/http'
import { Cookie, type CookieJar } from 'tough-cookie'
import {
  cookieJarOptionNames,
  type BoundedCookieJar,
  type CookieJarOptions,
  createCookieJar,
} from './cookie-jar.ts'
import { builtInToolError } from '../error-catalogue.ts'

/** A larger file is no cookie file. */
const maxFileBytes = 16_777_216

/**
 * Opens a cookie jar that is kept in a file (mode 0600), so that it survives a restart. Each change is written whole
 * before the answer that brought it is handed out. One program at a time: of two, the last to write wins.
 *
 * The file holds credentials: give each principal its own, or use {@link createCookieJarFolder}, which does.
 *
 * @throws {ToolError} COOKIE_FILE_INVALID when there is a file that cannot be read or holds something else.
 */
export async function openCookieJarFile(
  path: string,
  options: CookieJarOptions = {},
): Promise<BoundedCookieJar> {
  assertOptions<CookieJarOptions>('openCookieJarFile', options, cookieJarOptionNames)
  const bounded = createCookieJar(options)
  for (const cookie of await readCookies(path)) await bounded.jar.store.putCookie(cookie)
  const save = inTurn(() => writeCookies(path, bounded.jar))
  return {
    ...bounded,
    setCookie: async (cookie, url) => {
      await bounded.setCookie(cookie, url)
      await save()
    },
  }
}

/**
 * Keeps the cookies of each session in a file of its own in a folder that exists, for `cookieJar` of the http tool. File
 * names are hashes, so that no session can name another's file.
 */
export function createCookieJarFolder(
  folder: string,
  options: CookieJarOptions = {},
): (session: string) => Promise<CookieStore> {
  assertOptions<CookieJarOptions>('createCookieJarFolder', options, cookieJarOptionNames)
  const jars = new Map<string, Promise<CookieStore>>()
  const openJar = async (session: string): Promise<CookieStore> => {
    try {
      return await openCookieJarFile(`${folder}/${await hashText(session)}.json`, options)
    } catch (error) {
      // The next call tries again, since somebody may have mended the file.
      jars.delete(session)
      throw error
    }
  }
  return async (session) => {
    const jar = jars.get(session) ?? openJar(session)
    jars.set(session, jar)
    return jar
  }
}

async function readCookies(path: string): Promise<readonly Cookie[]> {
  let file: FileHandle
  try {
    // Nobody may make the jar read something else by putting a link in its place.
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw fileInvalid(path, cause instanceof Error ? cause.message : String(cause), cause)
  }
  try {
    const facts = await file.stat()
    if (!facts.isFile()) throw fileInvalid(path, 'it is no plain file')
    if (facts.size > maxFileBytes)
      throw fileInvalid(path, `it has ${facts.size} bytes, more than ${maxFileBytes}`)
    if ((facts.mode & 0o077) !== 0) await file.chmod(0o600)
    return parseCookies(path, await file.readFile('utf8'))
  } finally {
    await file.close()
  }
}

function parseCookies(path: string, text: string): readonly Cookie[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw fileInvalid(path, 'it is not valid JSON', cause)
  }
  const { cookies } = (parsed ?? {}) as { readonly cookies?: unknown }
  if (!Array.isArray(cookies)) throw fileInvalid(path, 'it has no list "cookies"')
  return cookies.map((entry: unknown, index) => {
    const cookie = Cookie.fromJSON(entry)
    if (cookie === undefined || typeof cookie.domain !== 'string')
      throw fileInvalid(path, `cookies[${index}] is no cookie`)
    return cookie
  })
}

/** Does work again after each call, one after the other; calls that come while it waits share one turn. */
function inTurn(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | undefined
  return () => {
    if (waiting !== undefined) return waiting
    const turn = running.then(() => {
      waiting = undefined
      return work()
    })
    waiting = turn
    running = turn.catch(() => undefined)
    return turn
  }
}

async function writeCookies(path: string, jar: CookieJar): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`
  try {
    const all = await jar.store.getAllCookies()
    const cookies = all.filter((cookie) => cookie.TTL() > 0).map((cookie) => cookie.toJSON())
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify({ cookies }, undefined, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (cause) {
    await rm(temporary, { force: true })
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw builtInToolError(
      'COOKIE_FILE_NOT_SAVED',
      `The cookies could not be written to ${JSON.stringify(path)}: ${reason}. They are kept in memory.`,
      { cause, data: { path } },
    )
  }
}

function fileInvalid(path: string, reason: string, cause?: unknown): Error {
  return builtInToolError(
    'COOKIE_FILE_INVALID',
    `The cookie file ${JSON.stringify(path)} cannot be used: ${reason}. Repair or remove it; it was left as it is.`,
    { data: { path }, ...(cause === undefined ? {} : { cause }) },
  )
}
