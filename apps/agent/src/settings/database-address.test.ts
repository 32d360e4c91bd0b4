import { expect, test } from 'vitest'
import { readDatabaseAddress } from './database-address.ts'

test.each([
  ['postgres://me:s3cret-word@db.example:6000/name', 'db.example', 6000],
  ['postgresql://me:s3cret-word@db.example/name', 'db.example', 5432],
  ['postgres://me:s3cret-word@[::1]:6000/name', '[::1]', 6000],
  ['postgres:///name', 'localhost', 5432],
  ['postgres://me@ignored/name?host=10.0.0.5&port=6001', '10.0.0.5', 6001],
])('%s listens where it says', (address, host, port) => {
  expect(readDatabaseAddress(address).services).toEqual([{ host, port }])
})

test('a socket of this machine is reached by no HTTP', () => {
  expect(readDatabaseAddress('postgres:///name?host=/var/run/postgresql').services).toEqual([])
})

test('the password is a secret as it is written and as it is meant, wherever it stands', () => {
  const { secrets } = readDatabaseAddress('postgres://me:p%40ss%2Fw%C3%B6rd@db/name')
  expect(secrets).toEqual(expect.arrayContaining(['p%40ss%2Fw%C3%B6rd', 'p@ss/wörd']))
  expect(readDatabaseAddress('postgres://db/name?password=s3cret-word').secrets).toContain(
    's3cret-word',
  )
})

test('a password that is the name of the user is searched for together with it only', () => {
  const { secrets } = readDatabaseAddress('postgres://postgres:postgres@localhost/shop')
  expect(secrets).toContain('postgres:postgres')
  expect(secrets).not.toContain('postgres')
})

test('an address that cannot be read is a secret as a whole', () => {
  expect(readDatabaseAddress('postgres://me:s3cret@[::').secrets).toEqual([
    'postgres://me:s3cret@[::',
  ])
})
