import { ToolError } from '@toolcrib/registry'
import { describe, expect, test } from 'vitest'
import { matchesAnyOrigin, matchesOrigin, parseOriginPattern } from './origin-pattern.ts'

const judge = (pattern: string, url: string): string =>
  matchesOrigin(parseOriginPattern(pattern), new URL(url))

describe('a pattern', () => {
  test.each([
    // pattern, URL, verdict
    ['api.good.test', 'https://api.good.test/x?a=1#f', 'match'],
    ['api.good.test', 'https://api.good.test:443/', 'match'],
    ['api.good.test', 'http://api.good.test/', 'origin'],
    ['api.good.test', 'http://api.good.test:443/', 'origin'],
    ['api.good.test', 'https://api.good.test:8443/', 'origin'],
    ['api.good.test', 'ftp://api.good.test/', 'origin'],
    ['api.good.test', 'wss://api.good.test/', 'origin'],
    ['api.good.test', 'https://evil.test/api.good.test', 'domain'],
    ['api.good.test', 'https://evil.test/#@api.good.test/', 'domain'],
    ['api.good.test', 'https://api.good.test.evil.test/', 'domain'],
    ['api.good.test', 'https://xapi.good.test/', 'domain'],
    ['api.good.test', 'https://x.api.good.test/', 'domain'],
    ['api.good.test', 'https://good.test/', 'domain'],
    ['api.good.test', 'https://API.GOOD.TEST/', 'match'],
    ['api.good.test', 'https://api.good.test./', 'match'],
    ['api.good.test.', 'https://api.good.test/', 'match'],
    ['API.Good.Test', 'https://api.good.test/', 'match'],
    ['api.good.test', 'https://ａpi.good.test/', 'match'],
    ['api.good.test', 'https://api。good.test/', 'match'],
    ['api.good.test', 'https://%61pi.good.test/', 'match'],
    ['api.good.test', 'https://аpi.good.test/', 'domain'],
    ['bücher.test', 'https://xn--bcher-kva.test/', 'match'],
    ['xn--bcher-kva.test', 'https://BÜCHER.test/', 'match'],
    ['http://api.good.test', 'http://api.good.test/', 'match'],
    ['http://api.good.test', 'http://api.good.test:443/', 'origin'],
    ['http://api.good.test', 'https://api.good.test/', 'origin'],
    ['HTTP://api.good.test', 'http://api.good.test/', 'match'],
    ['api.good.test:80', 'https://api.good.test:80/', 'match'],
    ['api.good.test:80', 'http://api.good.test/', 'origin'],
    ['api.good.test:*', 'https://api.good.test:8443/', 'match'],
    ['api.good.test:*', 'http://api.good.test:8443/', 'origin'],
    ['http://localhost:3000', 'http://localhost:3000/', 'match'],
    ['*.wild.test', 'https://x.wild.test/', 'match'],
    ['*.wild.test', 'https://a.b.c.wild.test/', 'match'],
    ['*.wild.test', 'https://wild.test/', 'domain'],
    ['*.wild.test', 'https://notwild.test/', 'domain'],
    ['*.wild.test', 'https://.wild.test/', 'domain'],
    ['*.wild.test', 'https://x..wild.test/', 'domain'],
    ['*.wild.test', 'https://*.wild.test/', 'domain'],
    ['*.wild.test', 'https://x.wild.test../', 'domain'],
    ['*.wild.test', 'https://x.wild.test.evil.test/', 'domain'],
    ['*.wild.test', `https://${'a'.repeat(64)}.wild.test/`, 'domain'],
    ['*.wild.test', `https://${'a'.repeat(63)}.wild.test/`, 'match'],
    ['http://*.wild.test:*', 'http://x.wild.test:81/', 'match'],
    ['*', 'https://anything.test/', 'match'],
    ['*', 'https://127.0.0.1/', 'match'],
    ['*', 'https://[::1]/', 'match'],
    ['*', 'https://a..b/', 'domain'],
    ['*', 'http://anything.test/', 'origin'],
    ['*:*', 'https://anything.test:8443/', 'match'],
    ['http://*:*', 'http://anything.test:8443/', 'match'],
    ['127.0.0.1', 'https://0x7f.1/', 'match'],
    ['127.0.0.1', 'https://2130706433/', 'match'],
    ['127.0.0.1', 'https://127。0。0。1/', 'match'],
    ['127.0.0.1', 'https://[::ffff:127.0.0.1]/', 'domain'],
    ['[::1]', 'https://[0:0:0:0:0:0:0:1]/', 'match'],
    ['[::ffff:127.0.0.1]', 'https://[::ffff:7f00:1]/', 'match'],
    ['[2001:DB8::1]:8443', 'https://[2001:db8::1]:8443/', 'match'],
    ['*.wild.test', 'javascript:alert(1)', 'domain'],
    ['*', 'data:text/html,x', 'domain'],
    ['*', 'file:///etc/passwd', 'domain'],
    ['api.good.test', 'blob:https://api.good.test/x', 'domain'],
    ['*', 'gopher://a%00b/', 'domain'],
  ])('%s judges %s as %s', (pattern, url, verdict) => {
    expect(judge(pattern, url)).toBe(verdict)
  })

  test('is written without what is understood', () => {
    for (const [written, best] of [
      ['HTTPS://API.Good.Test.:443', 'api.good.test'],
      ['http://x.test:80', 'http://x.test'],
      ['http://x.test:443', 'http://x.test:443'],
      ['https://*:*', '*:*'],
      ['*.Bücher.test', '*.xn--bcher-kva.test'],
      ['[0:0::1]', '[::1]'],
    ] as const) {
      expect(parseOriginPattern(written).text).toBe(best)
      expect(parseOriginPattern(best).text).toBe(best)
    }
  })

  test.each([
    ['', 'empty'],
    ['a b.test', 'spaces'],
    [' api.good.test', 'spaces'],
    ['api.good.test\n', 'spaces'],
    ['api.good\u0000.test', 'invisible'],
    ['api.go\u00adod.test', 'invisible'],
    ['api.good\u200b.test', 'invisible'],
    ['\u202eapi.good.test', 'invisible'],
    ['ftp://api.good.test', 'scheme'],
    ['://api.good.test', 'scheme'],
    ['javascript:alert(1)', 'port'],
    ['user@api.good.test', 'user name'],
    ['https://user:pw@api.good.test', 'user name'],
    ['https://api.good.test/', 'path'],
    ['api.good.test/v1', 'path'],
    ['api.good.test?x', 'path'],
    ['api.good.test#x', 'path'],
    ['api.good.test\\x', 'path'],
    ['https:\\\\api.good.test', 'path'],
    ['//api.good.test', 'path'],
    ['https:/api.good.test', 'path'],
    ['api.good.test:', 'port'],
    ['api.good.test:0', 'port'],
    ['api.good.test:65536', 'port'],
    ['api.good.test:080', 'port'],
    ['api.good.test:4*', 'port'],
    ['api.good.test:-1', 'port'],
    ['https://', 'well-formed'],
    ['.', 'well-formed'],
    ['..', 'well-formed'],
    ['.wild.test', 'well-formed'],
    ['api..test', 'well-formed'],
    ['api.test..', 'well-formed'],
    ['api%2egood.test', 'well-formed'],
    ['api.good.test,evil.test', 'well-formed'],
    [`${'a'.repeat(64)}.test`, 'well-formed'],
    ['*.', 'well-formed'],
    ['*.*.test', 'may only stand'],
    ['*wild.test', 'may only stand'],
    ['a.*.test', 'may only stand'],
    ['api.*', 'may only stand'],
    ['＊.wild.test', 'may only stand'],
    ['*.com', 'top-level'],
    ['*.com.', 'top-level'],
    ['*.127.0.0.1', 'before an address'],
    ['*.1', 'before an address'],
    ['*.[::1]', 'told apart'],
    ['::1', 'told apart'],
    ['[::1', 'told apart'],
    ['[api.good.test]', 'well-formed'],
    ['[fe80::1%25eth0]', 'well-formed'],
    ['0x7f.1', 'it means 127.0.0.1'],
    ['2130706433', 'it means 127.0.0.1'],
    ['0177.0.0.1', 'it means 127.0.0.1'],
    ['127.1', 'it means 127.0.0.1'],
    ['127.0.0.256', 'well-formed'],
    ['a'.repeat(301), '300 characters'],
  ])('is refused when it is %j', (text, reason) => {
    let error: unknown
    try {
      parseOriginPattern(text, 'http.origins[3]')
    } catch (thrown) {
      error = thrown
    }
    expect(ToolError.is(error, 'POLICY_INVALID')).toBe(true)
    const { message } = error as Error
    expect(message).toContain('http.origins[3]: "')
    expect(message).toContain(reason)
    expect(message).toContain('"api.example.com"')
    expect(message).not.toMatch(/[\n\0\u00ad\u200b\u202e]/)
  })
})

test('of several patterns the best verdict counts', () => {
  const patterns = ['http://api.good.test', '*.wild.test'].map((text) => parseOriginPattern(text))
  const judgeAll = (url: string): string => matchesAnyOrigin(patterns, new URL(url))
  expect(judgeAll('https://api.good.test/')).toBe('origin')
  expect(judgeAll('http://api.good.test/')).toBe('match')
  expect(judgeAll('https://x.wild.test/')).toBe('match')
  expect(judgeAll('https://evil.test/')).toBe('domain')
  expect(matchesAnyOrigin([], new URL('https://evil.test/'))).toBe('domain')
})
