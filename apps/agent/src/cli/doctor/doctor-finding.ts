/** One thing that was looked at. `advice` is for what is true of this set-up and cannot be mended by a command. */
export interface Finding {
  readonly level: 'ok' | 'advice' | 'problem'
  readonly what: string
}
