import type { DataFolder } from './data-folder.ts'
import type { OperationInput, OperationName, OperationOutput } from '../operations/catalogue.ts'

/** A host that can be asked, in this process or in another. */
export interface Host {
  readonly folder: DataFolder
  /** Whether another process runs it. */
  readonly isRemote: boolean
  call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    signal?: AbortSignal,
  ): Promise<OperationOutput<Name>>
  /** Hangs up; a host in this process is shut down. */
  close(): Promise<void>
}
