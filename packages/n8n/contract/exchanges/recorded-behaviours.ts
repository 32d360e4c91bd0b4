import type { WorkflowBehaviour } from '../../src/testing.ts'

/** What the recorded workflows do; the double runs none. */
export const behaviours: Readonly<Record<string, WorkflowBehaviour>> = {
  'record fails': () => ({ fails: { node: 'Last', message: 'no such order [line 1]' } }),
  'record fails before': () => ({ fails: { node: 'Look up', message: 'no such order [line 1]' } }),
  'record fails to respond': () => ({
    fails: { node: 'Last', message: "Invalid JSON in 'Response Body' field" },
  }),
  'record fails after': () => ({
    responds: {
      status: 422,
      body: '{"ok":false,"error":{"code":"ORDER_UNKNOWN","message":"There is no such order."}}',
      thenFails: { node: 'Clean up', message: 'no such order [line 1]' },
    },
  }),
  'record nothing before': () => ({ items: [] }),
  'record responds nothing': () => ({ responds: { body: '' } }),
  'record over time before': () => ({ timesOut: true }),
  'record nothing': () => ({ items: [] }),
  'record all': () => ({ items: [{ a: 1 }, { a: 2 }] }),
  'record responds': () => ({
    responds: {
      status: 422,
      body: '{"ok":false,"error":{"code":"ORDER_UNKNOWN","message":"There is no such order."}}',
    },
  }),
  'record responds text': () => ({
    responds: { body: 'hello', contentType: 'text/html; charset=utf-8' },
  }),
  'record waits': () => ({ waits: true }),
  'record over time': () => ({ timesOut: true }),
}
