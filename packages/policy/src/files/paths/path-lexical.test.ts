import { describe, expect, it } from 'vitest'
import { isWithin, joinPath, type PathPlatform, readPath } from './path-lexical.ts'

const posixBase = { prefix: '/', steps: ['srv', 'root'], namesFolder: false }
const windowsBase = { prefix: 'C:/', steps: ['srv', 'root'], namesFolder: false }

const read = (path: unknown, platform: PathPlatform = 'posix'): string => {
  const base = platform === 'posix' ? posixBase : windowsBase
  const found = readPath(path, { platform, base })
  return 'fault' in found ? `fault: ${found.fault}` : joinPath(found)
}

describe('readPath', () => {
  it.each([
    ['a.txt', '/srv/root/a.txt'],
    ['./d/../a.txt', '/srv/root/a.txt'],
    ['nope/../../out', '/srv/out'],
    ['../../../../etc', '/etc'],
    ['/etc//passwd', '/etc/passwd'],
    ['//etc/passwd', '/etc/passwd'],
    ['.', '/srv/root'],
    ['..', '/srv'],
    ['...', '/srv/root/...'],
    ['d\\a', '/srv/root/d\\a'],
    ['..\u200Fa', '/srv/root/..\u200Fa'],
    ['%2e%2e/x', '/srv/root/%2e%2e/x'],
    ['~/x', '/srv/root/~/x'],
    ['a:b', '/srv/root/a:b'],
    ['．．/x', '/srv/root/．．/x'],
    ['..／x', '/srv/root/..／x'],
  ])('reads %j by its text alone as %j', (path, expected) => {
    expect(read(path)).toBe(expected)
  })

  it.each([
    ['', 'empty'],
    [42, 'not a text'],
    [null, 'not a text'],
    [undefined, 'not a text'],
    [['a.txt'], 'not a text'],
    // oxlint-disable-next-line no-new-wrappers, unicorn/new-for-builtins -- an object that acts as a text
    [new String('a.txt'), 'not a text'],
    [new URL('file:///etc/passwd'), 'not a text'],
    [Buffer.from('a.txt'), 'not a text'],
    ['a\0', 'control'],
    ['a\n', 'control'],
    ['a\r', 'control'],
    ['a\tb', 'control'],
    ['a\u007f', 'control'],
    ['a\u0085', 'control'],
    ['a\u001b[0m', 'control'],
    ['a\u2028b', 'line separator'],
    ['a\u2029', 'line separator'],
    ['txt.\u202Eexe', 'reading direction'],
    ['\u2066a\u2069', 'reading direction'],
    ['..\\out', 'backslashes'],
    ['d\\..\\..\\out', 'backslashes'],
    ['d/..\\x', 'backslashes'],
    ['d\\../x', 'backslashes'],
    ['d\\..', 'backslashes'],
    ['\uD800', 'surrogate'],
    ['a\uDC00b', 'surrogate'],
    ['file:/etc/passwd', 'URL'],
    ['FILE:///etc/passwd', 'URL'],
    ['http://localhost/x', 'URL'],
    ['a'.repeat(4_097), 'longer than 4096'],
  ])('refuses %j: %s', (path, fault) => {
    expect(read(path)).toContain('fault: ')
    expect(read(path)).toContain(fault)
  })

  it('takes 4,096 characters', () => {
    expect(read('a'.repeat(4_096))).toHaveLength('/srv/root/'.length + 4_096)
  })

  it.each(['a/', 'a/.', 'a/..', '.', '..', '/'])('knows that %j names a folder', (path) => {
    expect(readPath(path, { platform: 'posix', base: posixBase })).toMatchObject({
      namesFolder: true,
    })
  })

  it('has nowhere to start from without a base', () => {
    expect(readPath('a', { platform: 'posix' })).toHaveProperty('fault')
    expect(readPath('a', { platform: 'windows' })).toHaveProperty('fault')
    expect(readPath('/a', { platform: 'posix' })).toHaveProperty('steps', ['a'])
  })
})

describe('readPath by the rules of Windows', () => {
  it.each([
    ['a.txt', 'C:/srv/root/a.txt'],
    ['d\\a.txt', 'C:/srv/root/d/a.txt'],
    ['d/..\\..\\out', 'C:/srv/out'],
    ['d:\\x/y', 'd:/x/y'],
    ['C:/a/../../../b', 'C:/b'],
    ['console.txt', 'C:/srv/root/console.txt'],
    ['a~b.txt', 'C:/srv/root/a~b.txt'],
    ['com10', 'C:/srv/root/com10'],
    ['nullable', 'C:/srv/root/nullable'],
  ])('reads %j as %j', (path, expected) => {
    expect(read(path, 'windows')).toBe(expected)
  })

  it.each([
    ['C:secret.txt', 'current folder of a drive'],
    ['C:', 'current folder of a drive'],
    ['C:..\\x', 'current folder of a drive'],
    ['\\x', 'current drive'],
    ['/x', 'current drive'],
    ['\\\\server\\share', 'network share'],
    ['//server/share', 'network share'],
    ['/\\server/share', 'network share'],
    ['\\\\?\\C:\\x', 'network share or a device'],
    ['\\\\.\\PhysicalDrive0', 'network share or a device'],
    ['\\??\\C:\\x', 'current drive'],
    ['a.txt:stream', 'stream'],
    ['a.txt::$DATA', 'stream'],
    ['d\\a.txt:x', 'stream'],
    ['C:\\a:b', 'stream'],
    ['a.txt.', 'dot or a space'],
    ['a.txt ', 'dot or a space'],
    ['d. \\x', 'dot or a space'],
    ['...', 'dot or a space'],
    ['. ', 'dot or a space'],
    ['.. \\x', 'dot or a space'],
    ['CON', 'a device'],
    ['con.txt', 'a device'],
    ['nul .txt', 'a device'],
    ['d\\AUX', 'a device'],
    ['prn.a.b', 'a device'],
    ['COM1', 'a device'],
    ['lpt9.log', 'a device'],
    ['COM¹', 'a device'],
    ['lpt³.x', 'a device'],
    ['CONIN$', 'a device'],
    ['PROGRA~1', 'short name'],
    ['d\\secret~12.txt', 'short name'],
    ['GIT~1\\config', 'short name'],
    ['a?b', 'forbids'],
    ['a*', 'forbids'],
    ['a|b', 'forbids'],
    ['a"b', 'forbids'],
    ['<a>', 'forbids'],
  ])('refuses %j: %s', (path, fault) => {
    expect(read(path, 'windows')).toContain('fault: ')
    expect(read(path, 'windows')).toContain(fault)
  })
})

describe('isWithin', () => {
  const path = (...steps: string[]): typeof posixBase => ({
    prefix: '/',
    steps,
    namesFolder: false,
  })

  it('goes by whole steps', () => {
    expect(isWithin(path('a', 'b'), path('a'))).toBe(true)
    expect(isWithin(path('a'), path('a'))).toBe(true)
    expect(isWithin(path('ab'), path('a'))).toBe(false)
    expect(isWithin(path('a'), path('a', 'b'))).toBe(false)
    expect(isWithin({ ...path('a', 'b'), prefix: 'D:/' }, { ...path('a'), prefix: 'C:/' })).toBe(
      false,
    )
  })
})
