import type { Containment, PreparedCommand } from './containment.ts'
import { NamespaceTree } from './namespace-tree.ts'

/** Programs of util-linux and coreutils, by absolute path. */
export interface NamespacePrograms {
  readonly unshare: string
  readonly setpriv: string
  readonly env: string
}

/** What a shell says about a command that a signal ended is kept out of the command's stderr. */
const firstProcess = 'exec 3>&2 2>/dev/null; (exec "$@" 2>&3 3>&-); exit $?'

/**
 * Namespaces made by util-linux: commands see no process of the host and none of them outlives the call. They see the
 * host's files all the same.
 */
export function createNamespaces(
  programs: NamespacePrograms,
  network: 'none' | 'host',
): Containment {
  const { unshare, setpriv, env } = programs
  const prefix = [
    // With the host program, the launcher ends too.
    '--pdeathsig',
    'KILL',
    '--',
    unshare,
    '--user',
    '--map-current-user',
    '--pid',
    '--fork',
    '--kill-child',
    '--mount-proc',
    '--ipc',
    ...(network === 'none' ? ['--net'] : []),
    '--',
    // Inside, root would have all powers over the namespaces, such as taking the new /proc away again.
    setpriv,
    '--no-new-privs',
    '--bounding-set=-all',
    '--inh-caps=-all',
    '--',
    // The first process ignores most signals and must collect others, so that is not the command itself.
    '/bin/sh',
    '-c',
    firstProcess,
    'sh',
    env,
    '-i',
  ]
  return {
    name: 'namespace',
    isVisible: () => true,
    environment: {},
    launch: ({ file, args, folder, environment }: PreparedCommand) => ({
      file: setpriv,
      args: [...prefix, ...assignments(environment), ...program(file), ...args],
      folder,
      // Variables of the call reach no program outside of the namespaces: LD_PRELOAD would run there.
      environment: {},
    }),
    follow: (pid) => new NamespaceTree(pid, false),
  }
}

/** `env` takes every word with an `=` for a variable, so a program of such a name is started by somebody else. */
function program(file: string): string[] {
  return file.includes('=') ? ['/bin/sh', '-c', 'exec "$@"', 'sh', file] : [file]
}

function assignments(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(environment).map(([name, value]) => `${name}=${value}`)
}
