import { expect, test } from 'vitest'
import { explainPrivateOrigin } from './private-origin.ts'

test.each([
  '127.0.0.1',
  'http://127.0.0.1:8080',
  '169.254.169.254',
  '10.0.0.1:*',
  '[::1]',
  '[::1]:8443',
  '[::ffff:127.0.0.1]',
  '[fd00::1]',
  'localhost',
  'LOCALHOST',
  'http://localhost:3000',
  'db.localhost',
  '0.0.0.0',
])('%s leads to where no tool may go', (origin) => {
  expect(explainPrivateOrigin(origin)).toMatch(/ is /)
})

test.each([
  'api.example.com',
  '*.example.com',
  '*',
  '8.8.8.8',
  'localhost.example.com',
  'no origin',
])('%s may lead elsewhere, or is no origin at all', (origin) => {
  expect(explainPrivateOrigin(origin)).toBeUndefined()
})

test('an address that is opened may be named, and no other', () => {
  expect(explainPrivateOrigin('127.0.0.1:80', ['127.0.0.1'])).toBeUndefined()
  expect(explainPrivateOrigin('localhost', ['127.0.0.1'])).toBeUndefined()
  expect(explainPrivateOrigin('10.1.2.3', ['10.1.0.0/16'])).toBeUndefined()
  expect(explainPrivateOrigin('10.2.2.3', ['10.1.0.0/16'])).toMatch(/private/)
  // Those at which clouds give out credentials, only one by one.
  expect(explainPrivateOrigin('169.254.169.254', ['169.254.0.0/16'])).toMatch(/169\.254/)
})
