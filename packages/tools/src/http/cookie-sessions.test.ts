import type { ToolContext } from '@toolcrib/registry'
import { expect, test } from 'vitest'
import { cookieSession, createSessionCookieJars } from './cookie-sessions.ts'

const contextOf = (kind: string, id: string, sessionId?: string): ToolContext =>
  ({ principal: { kind, id }, ...(sessionId === undefined ? {} : { sessionId }) }) as ToolContext

test('two principals never share a session, also with the same session id', () => {
  const sessions = [
    contextOf('agent', 'alice'),
    contextOf('person', 'alice'),
    contextOf('agent', 'alice', 's'),
    contextOf('agent', 'bob', 's'),
    contextOf('agent', 'alice","s'),
  ].map(cookieSession)
  expect(new Set(sessions).size).toBe(sessions.length)
})

test('a session finds its jar again', async () => {
  const jars = createSessionCookieJars()
  await jars('a').setCookie('c=1', 'https://example.com/')
  expect(await jars('a').getCookieString('https://example.com/')).toBe('c=1')
  expect(await jars('b').getCookieString('https://example.com/')).toBe('')
})

test('the session that was used least recently is forgotten when there are too many', () => {
  const jars = createSessionCookieJars({ maxSessions: 2 })
  const [a, b] = [jars('a'), jars('b')]
  expect(jars('a')).toBe(a)
  jars('c')
  expect(jars('a')).toBe(a)
  expect(jars('b')).not.toBe(b)
})
