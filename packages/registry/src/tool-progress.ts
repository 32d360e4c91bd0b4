/** How far a running call has come. */
export interface ToolProgress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}
