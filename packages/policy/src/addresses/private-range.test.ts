import { describe, expect, test } from 'vitest'
import { type AddressRange, isRangeWithin, readAddressRange } from './private-range.ts'

function read(text: string): AddressRange {
  const range = readAddressRange(text)
  if (typeof range === 'string') throw new Error(range)
  return range
}

describe('a range of addresses', () => {
  test.each([
    ['10.1.2.3', '10.1.2.3'],
    ['10.1.2.3/32', '10.1.2.3'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['FD00:0::/8', 'fd00::/8'],
    ['fc00::/7', 'fc00::/7'],
    ['::1', '::1'],
    ['::1/128', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
  ])('%s is best written %s', (text, best) => {
    expect(read(text).text).toBe(best)
    expect(read(best).text).toBe(best)
  })

  test.each([
    ['', 'four decimal parts'],
    ['localhost', 'four decimal parts'],
    ['10.1', 'four decimal parts'],
    ['0x0a.0.0.1', 'four decimal parts'],
    ['012.0.0.1', 'four decimal parts'],
    ['167772161', 'four decimal parts'],
    ['10.0.0.256', 'four decimal parts'],
    ['[::1]', 'without brackets'],
    ['fe80::1%eth0', 'four decimal parts'],
    ['10.0.0.1 ', 'four decimal parts'],
    ['10.0.0.0/', 'four decimal parts'],
    ['10.0.0.0/08', 'four decimal parts'],
    ['10.0.0.0/33', 'longer than 32'],
    ['fd00::/129', 'longer than 128'],
    ['10.0.0.0/7', 'wider than /8'],
    ['0.0.0.0/0', 'wider than /8'],
    ['::/0', 'wider than /7'],
    ['fc00::/6', 'wider than /7'],
    ['10.1.2.3/16', 'begins at 10.1.0.0/16'],
    ['fd00::1/8', 'begins at fd00::/8'],
    ['::ffff:10.0.0.1', 'means the IPv4 address 10.0.0.1'],
    ['::ffff:0a00:1', 'means the IPv4 address 10.0.0.1'],
  ])('is refused when it is %j', (text, reason) => {
    expect(readAddressRange(text)).toContain(reason)
  })

  test.each([
    ['10.1.2.3', '10.0.0.0/8', true],
    ['10.1.0.0/16', '10.0.0.0/8', true],
    ['10.0.0.0/8', '10.0.0.0/8', true],
    ['10.0.0.0/8', '10.0.0.0/16', false],
    ['11.0.0.1', '10.0.0.0/8', false],
    ['fd00::1', 'fc00::/7', true],
    ['fd00::1', '10.0.0.0/8', false],
    ['10.0.0.1', 'fc00::/7', false],
    ['169.254.169.254', '169.254.0.0/16', false],
    ['169.254.169.254', '169.254.169.254', true],
    ['169.254.169.253', '169.254.0.0/16', true],
    ['fd00:ec2::254', 'fd00::/8', false],
  ])('%s within %s: %s', (inner, outer, within) => {
    expect(isRangeWithin(read(inner), read(outer))).toBe(within)
  })
})
