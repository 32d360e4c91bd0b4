/** What is known about a command before it is started. */
export interface PreparedCommand {
  /** Absolute. */
  readonly file: string
  readonly args: readonly string[]
  /** Absolute and real. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

/** What the operating system is asked to start. */
export interface Launch {
  readonly file: string
  readonly args: readonly string[]
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** A fourth descriptor is opened, on which the launcher reports. @default false */
  readonly reports?: boolean
  /** Opened for the launcher to read, as the descriptors after that. @default none */
  readonly files?: readonly string[]
}

/** How sure it is that nothing of a command runs on. */
export type ProcessesLeft = 'none' | 'unknown'

/** The processes of one command. */
export interface ProcessTree {
  /** Takes what the launcher reports. */
  report(text: string): void
  /** Whether the launcher never came to start the command. */
  readonly launchFailed: boolean
  /** Asks every process to end. */
  terminate(): void
  /** Ends every process that is known; to be called again until all have ended. */
  kill(): void
  /** Whether every process has ended; `unknown` where nothing can tell. */
  state(): 'running' | 'ended' | 'unknown'
}

/** The ways in which the processes of a command can be kept together. */
export type ContainmentName = 'bubblewrap' | 'namespace' | 'process-group'

/** A way of keeping the processes of a command together. */
export interface Containment {
  readonly name: ContainmentName
  /** Tells whether commands see a file of the host. */
  isVisible(path: string): boolean
  /** Variables that commands get because of where they run. */
  readonly environment: Readonly<Record<string, string>>
  launch(command: PreparedCommand): Launch
  /** @param marker `NAME=value` in the environment of the command. */
  follow(pid: number, marker: string): ProcessTree
}

/** Sends a signal to a process, or to a group where the id is negative. Tells whether there was one. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  // 0 and -1 would mean the host's own group, and everybody.
  if (Math.abs(pid) <= 1) return false
  try {
    return process.kill(pid, signal)
  } catch {
    // It has ended, or became somebody else's: nothing more can be done from here.
    return false
  }
}
