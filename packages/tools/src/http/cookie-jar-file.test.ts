import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCookieJarFolder, openCookieJarFile } from './cookie-jar-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cookies-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const url = 'https://example.com/'

test('cookies survive a restart, with all that they say', async () => {
  const path = join(folder, 'jar.json')
  const jar = await openCookieJarFile(path)
  await jar.setCookie('session=1; Path=/; HttpOnly', url)
  await jar.setCookie('shared=2; Domain=example.com; Secure; Max-Age=3600', url)
  const again = await openCookieJarFile(path)
  expect(await again.getCookieString(url)).toBe('session=1; shared=2')
  expect(await again.getCookieString('https://www.example.com/')).toBe('shared=2')
  expect(await again.getCookieString('http://example.com/')).toBe('session=1')
})

test('the file is for its owner only, and nothing half-written stays beside it', async () => {
  const path = join(folder, 'jar.json')
  const jar = await openCookieJarFile(path)
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => jar.setCookie(`c${index}=1`, url)),
  )
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['jar.json'])
  const stored = JSON.parse(readFileSync(path, 'utf8')) as { readonly cookies: unknown[] }
  expect(stored.cookies).toHaveLength(20)
})

test('a file that others could read is closed to them when it is opened', async () => {
  const path = join(folder, 'jar.json')
  writeFileSync(path, '{"cookies":[]}')
  chmodSync(path, 0o644)
  await openCookieJarFile(path)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('an expired or deleted cookie leaves the file', async () => {
  const path = join(folder, 'jar.json')
  const jar = await openCookieJarFile(path)
  await jar.setCookie('a=1', url)
  await jar.setCookie('a=; Max-Age=0', url)
  expect(readFileSync(path, 'utf8')).not.toContain('"a"')
})

test.each([
  ['no JSON', '{"cookies":['],
  ['another JSON', '[]'],
  ['null', 'null'],
  ['an entry that is no cookie', '{"cookies":[7]}'],
  ['a cookie without a domain', '{"cookies":[{"key":"a","value":"b"}]}'],
])('a file with %s is refused and left as it is', async (_what, text) => {
  const path = join(folder, 'jar.json')
  writeFileSync(path, text)
  await expect(openCookieJarFile(path)).rejects.toMatchObject({
    code: 'COOKIE_FILE_INVALID',
    message: expect.stringContaining(path) as string,
  })
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('a link or a folder in place of the file is refused', async () => {
  writeFileSync(join(folder, 'other'), '{"cookies":[]}')
  symlinkSync(join(folder, 'other'), join(folder, 'link.json'))
  mkdirSync(join(folder, 'folder.json'))
  for (const name of ['link.json', 'folder.json'])
    await expect(openCookieJarFile(join(folder, name))).rejects.toMatchObject({
      code: 'COOKIE_FILE_INVALID',
    })
})

test('a jar that cannot be saved says so, keeps its cookies, and saves them later', async () => {
  const below = join(folder, 'below')
  mkdirSync(below)
  const jar = await openCookieJarFile(join(below, 'jar.json'))
  rmSync(below, { recursive: true })
  await expect(jar.setCookie('a=1', url)).rejects.toMatchObject({ code: 'COOKIE_FILE_NOT_SAVED' })
  expect(await jar.getCookieString(url)).toBe('a=1')
  mkdirSync(below)
  await jar.setCookie('b=2', url)
  const again = await openCookieJarFile(join(below, 'jar.json'))
  expect(await again.getCookieString(url)).toBe('a=1; b=2')
})

test('a folder keeps each session in a file that no session can name', async () => {
  const jars = createCookieJarFolder(folder)
  await (await jars('agent:alice')).setCookie('a=1', url)
  await (await jars('agent:../../escape')).setCookie('a=2', url)
  expect(await (await jars('agent:alice')).getCookieString(url)).toBe('a=1')
  const names = readdirSync(folder)
  expect(names).toHaveLength(2)
  expect(names.every((name) => /^[0-9a-f]{64}\.json$/.test(name))).toBe(true)
  const restarted = createCookieJarFolder(folder)
  expect(await (await restarted('agent:../../escape')).getCookieString(url)).toBe('a=2')
})

test('a file that could not be put in its place leaves nothing beside it', async () => {
  const path = join(folder, 'jar.json')
  const jar = await openCookieJarFile(path)
  mkdirSync(path)
  await expect(jar.setCookie('a=1', url)).rejects.toMatchObject({ code: 'COOKIE_FILE_NOT_SAVED' })
  expect(readdirSync(folder)).toEqual(['jar.json'])
})

test('a file of a folder that was broken is read once it is mended', async () => {
  await (await createCookieJarFolder(folder)('agent:alice')).setCookie('a=1', url)
  const [name = ''] = readdirSync(folder)
  const good = readFileSync(join(folder, name), 'utf8')
  writeFileSync(join(folder, name), 'broken')
  const jars = createCookieJarFolder(folder)
  await expect(jars('agent:alice')).rejects.toMatchObject({ code: 'COOKIE_FILE_INVALID' })
  writeFileSync(join(folder, name), good)
  expect(await (await jars('agent:alice')).getCookieString(url)).toBe('a=1')
})
