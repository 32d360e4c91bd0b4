import { describe, expect, test } from 'vitest'
import { createCookieJar } from './cookie-jar.ts'

describe('a cookie jar', () => {
  test('gives a cookie back to its own host only', async () => {
    const jar = createCookieJar()
    await jar.setCookie('session=1', 'https://api.example.com/')
    expect(await jar.getCookieString('https://api.example.com/x')).toBe('session=1')
    expect(await jar.getCookieString('https://www.example.com/')).toBe('')
    expect(await jar.getCookieString('https://api.example.com.evil.test/')).toBe('')
  })

  test.each(['co.uk', 'com', 'github.io'])(
    'refuses a cookie for the public suffix %s without failing',
    async (suffix) => {
      const jar = createCookieJar()
      await jar.setCookie(`session=1; Domain=${suffix}`, `https://evil.${suffix}/`)
      expect(await jar.getCookieString(`https://bank.${suffix}/`)).toBe('')
      expect(await jar.getCookieString(`https://evil.${suffix}/`)).toBe('')
    },
  )

  test('refuses a cookie for somebody else without failing', async () => {
    const jar = createCookieJar()
    await jar.setCookie('session=1; Domain=bank.example', 'https://evil.example/')
    expect(await jar.getCookieString('https://bank.example/')).toBe('')
  })

  test.each(['', ';', '=', '\0', 'a=b; Domain=', 'a='.padEnd(5_000, 'x')])(
    'passes over the broken line %j',
    async (line) => {
      const jar = createCookieJar()
      await jar.setCookie(line, 'https://example.com/')
      expect((await jar.getCookieString('https://example.com/')).length).toBeLessThan(4_096)
    },
  )

  test('sends no secure cookie over plain http', async () => {
    const jar = createCookieJar()
    await jar.setCookie('session=1; Secure', 'https://example.com/')
    expect(await jar.getCookieString('http://example.com/')).toBe('')
  })

  test('keeps a line at the edge of the size, and not one byte more', async () => {
    const jar = createCookieJar({ maxCookieBytes: 10 })
    await jar.setCookie('a=12345678', 'https://example.com/')
    await jar.setCookie('b=123456789', 'https://example.com/')
    expect(await jar.getCookieString('https://example.com/')).toBe('a=12345678')
  })

  test('lets no site push out the cookies of another, whatever subdomains it uses', async () => {
    const jar = createCookieJar({ maxCookiesPerSite: 3 })
    await jar.setCookie('session=1', 'https://bank.example/')
    for (let index = 0; index < 20; index += 1)
      await jar.setCookie(`c${index}=1`, `https://s${index}.evil.test/`)
    expect(await jar.getCookieString('https://bank.example/')).toBe('session=1')
    const all = await jar.jar.store.getAllCookies()
    expect(all.map(({ key }) => key).toSorted()).toEqual(['c17', 'c18', 'c19', 'session'])
  })

  test('never holds more than its limit in all', async () => {
    const jar = createCookieJar({ maxCookies: 5 })
    for (let index = 0; index < 20; index += 1)
      await jar.setCookie(`c=${index}`, `https://site${index}.test/`)
    expect(await jar.jar.store.getAllCookies()).toHaveLength(5)
    expect(await jar.getCookieString('https://site19.test/')).toBe('c=19')
  })
})
