import type { KeyPairText } from '@toolcrib/toolsmaker'

/** What a host is told when its time has come. */
export interface WorkloadOrder {
  readonly data: string
  /** Of the Postgres that has the call log; without it the log is embedded. */
  readonly databaseUrl?: string | undefined
  readonly namespace: string
  /** What hosts on this folder have said so far, a line each. */
  readonly factsFile: string
  readonly approver: KeyPairText
  readonly seed: number
  readonly round: number
  /** Only looks, tries whether it would see something that is wrong, and ends. */
  readonly isLast?: boolean
}
