import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  callShell,
  makeWorkspace,
  processesWith,
  uniqueSleep,
  workingContainments,
} from '../../test/shell-calls.ts'
import type { CommandInput } from './command-input.ts'

const containments = await workingContainments()
const isolated = containments.filter((name) => name !== 'process-group')
const shell = (script: string): CommandInput => ({ command: 'sh', args: ['-c', script] })

const secret = `secret-${randomBytes(8).toString('hex')}`
beforeAll(() => {
  process.env['TOOLCRIB_TEST_SECRET'] = secret
})
afterAll(() => {
  delete process.env['TOOLCRIB_TEST_SECRET']
})

describe.each(containments)('in the containment %s', (containment) => {
  test('the environment holds what is named and nothing else of the host', async () => {
    const workspace = makeWorkspace()
    const { stdout } = await callShell(
      { containment, workspace },
      { command: 'env', env: { OWN: 'a b' } },
    )
    expect(stdout).not.toContain(secret)
    const names = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0])
    const allowed = new Set([
      'PATH',
      'LANG',
      'LC_ALL',
      'TZ',
      'TERM',
      'HOME',
      'TMPDIR',
      'OWN',
      'TOOLCRIB_CALL',
      // Set by the launcher.
      'PWD',
    ])
    expect(names.filter((name) => !allowed.has(name ?? ''))).toEqual([])
    expect(stdout).toContain(`HOME=${workspace}\n`)
    expect(stdout).toContain('OWN=a b\n')
  })

  test('a variable of the host gets in where it is named', async () => {
    const options = { containment, environment: ['PATH', 'TOOLCRIB_TEST_SECRET'] }
    expect((await callShell(options, { command: 'env' })).stdout).toContain(secret)
  })

  test('a library that a call names is not loaded by what starts the command', async () => {
    const workspace = makeWorkspace()
    const env = { LD_PRELOAD: join(workspace, 'absent.so') }
    const { stderr } = await callShell({ containment, workspace }, { command: 'true', env })
    // The loader complains once for each program that it was told to load it into.
    const complaints = stderr.split('\n').filter((line) => line.includes('absent.so'))
    expect(complaints).toHaveLength(1)
  })

  test('no descriptor of the host gets in, not even one that the host was started with', () => {
    const workspace = makeWorkspace()
    const path = join(makeWorkspace(), 'descriptor')
    writeFileSync(path, secret)
    const held = openSync(path, 'r')
    const stdio: (number | 'pipe' | 'ignore')[] = ['ignore', 'pipe', 'pipe']
    while (stdio.length < 200) stdio.push('ignore')
    stdio.push(held)
    const host = spawnSync(
      process.execPath,
      [
        '--conditions=@toolcrib/source',
        fileURLToPath(new URL('../../test/inherit-descriptor.ts', import.meta.url)),
        workspace,
        containment,
      ],
      { stdio, encoding: 'utf8' },
    )
    const output = JSON.parse(host.stdout) as { stdout: string }
    expect(output.stdout).not.toContain(secret)
    const descriptors = [...output.stdout.matchAll(/ (\d+) -> (.*)/gu)].map(
      ([, number, target]) => [Number(number), target],
    )
    expect(descriptors.length).toBeGreaterThanOrEqual(3)
    for (const [number, target] of descriptors)
      if (Number(number) > 2) expect(target).toMatch(/^\/dev\/null$|^\/proc\/\d+\/fd$/u)
  })
})

describe.each(isolated)('isolated by %s', (containment) => {
  test('no process of the host is to be seen, nor the variables of one', async () => {
    const script = 'ls /proc | grep -c "^[0-9]"; cat /proc/*/environ /proc/[0-9]*/task/*/environ'
    const { stdout } = await callShell({ containment }, shell(script))
    expect(stdout).not.toContain(secret)
    expect(Number(stdout.split('\n')[0])).toBeLessThan(12)
    const self = await callShell({ containment }, shell(`cat /proc/${process.pid}/environ`))
    expect(self.exitCode).not.toBe(0)
  })

  test('the view of processes cannot be taken away', async () => {
    const { stdout } = await callShell(
      { containment },
      shell('umount /proc 2>/dev/null; umount -l /proc 2>/dev/null; ls /proc | grep -c "^[0-9]"'),
    )
    expect(Number(stdout)).toBeLessThan(12)
  })

  test('no process of the host can be ended', async () => {
    const { exitCode } = await callShell({ containment }, shell(`kill -0 ${process.pid}`))
    expect(exitCode).not.toBe(0)
  })

  test('without network, not even this machine is reached', async () => {
    const server = createServer((socket) => socket.end('reached\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const script = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`
    const call = (network: 'none' | 'host'): Promise<{ stdout: string }> =>
      callShell({ containment, network }, { command: 'bash', args: ['-c', script] })
    try {
      expect((await call('none')).stdout).toBe('')
      expect((await call('host')).stdout).toBe('reached\n')
    } finally {
      server.close()
    }
  })

  test('a host that is killed leaves no command behind', async () => {
    const seconds = uniqueSleep()
    const script = fileURLToPath(new URL('../../test/run-command.ts', import.meta.url))
    const { spawn } = await import('node:child_process')
    const host = spawn(
      process.execPath,
      ['--conditions=@toolcrib/source', script, makeWorkspace(), containment, seconds],
      { stdio: 'ignore' },
    )
    await expect.poll(() => processesWith(seconds), { timeout: 15_000 }).not.toEqual([])
    // The host itself has the number among its arguments.
    await expect.poll(() => processesWith(seconds).length, { timeout: 15_000 }).toBeGreaterThan(1)
    host.kill('SIGKILL')
    await expect.poll(() => processesWith(seconds), { timeout: 5_000 }).toEqual([])
  })
})

const sandboxes = containments.filter((name) => name === 'bubblewrap')

describe.each(sandboxes)('the sandbox of %s', (containment) => {
  test('only the workspace can be written to', async () => {
    const workspace = makeWorkspace()
    const script =
      'for place in . / /usr /usr/bin /etc /dev /home /root /var /opt /run /proc/sys/kernel /sys /tmp; do ' +
      '(: > $place/written) 2>/dev/null && echo $place; done; ' +
      // What is written is what stands there, should it work.
      'same() { value=$(cat "$1") && (printf "%s\\n" "$value" > "$1") 2>/dev/null && echo "$1"; }; ' +
      'for setting in core_pattern domainname hostname panic; do same /proc/sys/kernel/$setting; done; ' +
      'same /proc/self/oom_score_adj; true'
    const { stdout } = await callShell({ containment, workspace }, shell(script))
    expect(stdout.trim().split('\n')).toEqual(['.', '/tmp'])
    expect(existsSync(join(workspace, 'written'))).toBe(true)
    expect(existsSync('/tmp/written')).toBe(false)
  })

  test('namespaces of its own give a command no way around that', async () => {
    const script =
      'value=$(cat /proc/sys/kernel/panic); ' +
      'mount -o remount,rw /proc; mount -o remount,rw /usr; umount -l /proc; mount -t proc proc /tmp; mount --bind / /tmp; ' +
      'for root in "" /tmp; do (echo "$value" > $root/proc/sys/kernel/panic) && echo written; ' +
      '(echo "$value" > $root/sys/kernel/panic) && echo written; : > $root/usr/written && echo written; done; ' +
      'ls /proc /tmp | grep -c "^[0-9]"'
    const args = ['--user', '--map-root-user', '--mount', '--pid', '--fork', 'sh', '-c', script]
    const { stdout } = await callShell({ containment }, { command: 'unshare', args })
    expect(stdout).not.toContain('written')
    expect(Number(stdout)).toBeLessThan(12)
    expect(existsSync('/usr/written')).toBe(false)
  })

  test('nothing of the host’s own is there: homes, sockets, keys, other folders', async () => {
    const other = makeWorkspace()
    writeFileSync(join(other, 'file'), secret)
    const places =
      '/root /home /run /var/run/docker.sock /var/lib /opt /mnt /srv /sys /boot /etc/shadow /etc/gshadow /etc/ssh ' +
      '/etc/ssl/private /etc/sudoers /dev/mem /dev/kmsg /dev/vda /dev/sda /dev/tty'
    const script = 'for path in "$@"; do [ -e "$path" ] && echo "$path"; done; cat "$0"'
    const { stdout } = await callShell(
      { containment },
      {
        command: 'sh',
        args: ['-c', script, join(other, 'file'), homedir(), other, ...places.split(' ')],
      },
    )
    expect(stdout).toBe('')
  })

  test('what is hidden in the workspace is not there, and moving what is around it is no way to it', async () => {
    const workspace = makeWorkspace()
    mkdirSync(join(workspace, 'data', 'host'), { recursive: true })
    writeFileSync(join(workspace, 'data', 'host', 'events'), secret)
    writeFileSync(join(workspace, '.env'), secret)
    const hidden = [join(workspace, 'data', 'host'), join(workspace, '.env')]
    const options = { containment, workspace, hidden } as const
    const script =
      'cat .env data/host/events; ls data/host; mv data moved; mv data/host beside; rm -rf data .env; ' +
      'ln data/host/events linked; echo x > data/host/new; umount data/host; cat .env data/host/events'
    const first = await callShell(options, shell(script))
    const second = await callShell(options, shell('find . -type f -exec cat {} +'))
    expect(first.stdout + second.stdout).not.toContain(secret)
    expect(readFileSync(join(workspace, 'data', 'host', 'events'), 'utf8')).toBe(secret)
    expect(readFileSync(join(workspace, '.env'), 'utf8')).toBe(secret)
    expect(existsSync(join(workspace, 'data', 'host', 'new'))).toBe(false)
  })

  test('a workspace inside what is hidden is there, and what lies around it is not', async () => {
    const data = makeWorkspace()
    const workspace = join(data, 'workspace')
    mkdirSync(workspace)
    writeFileSync(join(data, 'key'), secret)
    const options = { containment, workspace, hidden: [data], readable: [data] } as const
    const { stdout } = await callShell(options, shell('echo own > file; cat file ../key; ls ..'))
    expect(stdout).toBe('own\nworkspace\n')
  })

  test('a readable folder can be read and not be written to, and its programs can be run', async () => {
    const tools = makeWorkspace()
    writeFileSync(join(tools, 'greet'), '#!/bin/sh\necho hi\n: > "$0.written"\n', { mode: 0o755 })
    const input = { command: join(tools, 'greet') }
    await expect(callShell({ containment }, input)).rejects.toMatchObject({
      code: 'COMMAND_NOT_FOUND',
      message: expect.stringContaining('readable') as string,
    })
    const output = await callShell({ containment, readable: [tools] }, input)
    expect(output.stdout).toBe('hi\n')
    expect(output.exitCode).not.toBe(0)
    expect(existsSync(join(tools, 'greet.written'))).toBe(false)
  })

  test('temporary files take no more memory than they may, and are gone with the call', async () => {
    const workspace = makeWorkspace()
    const fill = await callShell(
      { containment, workspace },
      shell('head -c 300000000 /dev/zero > /tmp/a; stat -c %s /tmp/a'),
    )
    expect(Number(fill.stdout)).toBe(268_435_456)
    expect((await callShell({ containment, workspace }, shell('ls /tmp'))).stdout).not.toContain(
      'a\n',
    )
  })

  test('no power over the machine is left', async () => {
    const { stdout } = await callShell(
      { containment },
      shell('grep -E "^(Cap(Eff|Prm|Bnd)|NoNewPrivs)" /proc/self/status'),
    )
    expect(stdout.replaceAll(/\t/gu, ' ')).toBe(
      [
        'CapPrm: 0000000000000000',
        'CapEff: 0000000000000000',
        'CapBnd: 0000000000000000',
        'NoNewPrivs: 1',
        '',
      ].join('\n'),
    )
  })
})
