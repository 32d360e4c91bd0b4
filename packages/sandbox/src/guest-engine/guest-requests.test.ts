import { expect, it } from 'vitest'
import { GuestRequests } from './guest-requests.ts'

const limits = { maxHostCalls: 3, maxConcurrentHostCalls: 2, maxArgumentBytes: 10 }
const operation = () => 'http.request'
const argument = () => '"12345678"'

it('ends a run that asks more often than it may, sleeps included, whatever its prelude lets through', () => {
  const requests = new GuestRequests(limits)
  expect(requests.add(1, operation, argument)).toBeUndefined()
  expect(requests.beginSleep(2)).toBeUndefined()
  requests.settle(1)
  expect(requests.add(3, operation, argument)).toBeUndefined()
  expect(requests.add(4, operation, argument)).toMatchObject({ reason: 'host-call-limit' })
})

it('ends a run that has more requests under way than it may, or that uses a number twice', () => {
  const many = new GuestRequests({ ...limits, maxHostCalls: 100 })
  many.add(1, operation, argument)
  many.add(2, operation, argument)
  expect(many.add(3, operation, argument)).toMatchObject({ reason: 'trap' })
  const twice = new GuestRequests(limits)
  twice.add(1, operation, argument)
  expect(twice.add(1, operation, argument)).toMatchObject({ reason: 'trap' })
})

it('refuses what does not fit, asks the host nothing, and has room again once answers came', () => {
  const requests = new GuestRequests({ ...limits, maxHostCalls: 100, maxConcurrentHostCalls: 10 })
  requests.add(1, operation, () => undefined)
  expect(requests.takeRefusals()).toMatchObject([{ id: 1, code: 'ARGUMENT_TOO_LARGE' }])
  requests.settle(1)
  // Four times what one may is what they may take together.
  for (const id of [2, 3, 4, 5]) requests.add(id, operation, argument)
  expect(requests.takeRequests().map(({ id }) => id)).toEqual([2, 3, 4, 5])
  requests.add(6, operation, argument)
  expect(requests.takeRefusals()).toMatchObject([{ id: 6, code: 'ARGUMENT_TOO_LARGE' }])
  requests.settle(6)
  requests.settle(2)
  requests.add(7, operation, argument)
  expect(requests.takeRequests().map(({ id }) => id)).toEqual([7])
  expect(requests.takeRefusals()).toEqual([])
})

it('takes answers to what was asked only, each once', () => {
  const requests = new GuestRequests(limits)
  expect(requests.settle(1)).toBe(false)
  requests.add(1, operation, argument)
  expect([requests.isWaiting, requests.settle(1), requests.settle(1), requests.isWaiting]).toEqual([
    true,
    true,
    false,
    false,
  ])
})
