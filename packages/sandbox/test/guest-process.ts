import { execFileSync } from 'node:child_process'

interface Process {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

function listProcesses(): Process[] {
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
  })
}

/** The processes below another one in which guests run. */
export function findGuestProcesses(ancestor: number = process.pid): number[] {
  const processes = listProcesses()
  const below = (parent: number): Process[] =>
    processes.flatMap((found) => (found.parent === parent ? [found, ...below(found.pid)] : []))
  return below(ancestor)
    .filter(
      ({ command }) =>
        /(sandbox|isolate)-child\.[jt]s/.test(command) && !/^\S*bwrap /.test(command),
    )
    .map(({ pid }) => pid)
}

/** The last of them. */
export function findGuestProcess(): number {
  const found = findGuestProcesses().at(-1)
  if (found === undefined) throw new Error('No guest runs in a process')
  return found
}
