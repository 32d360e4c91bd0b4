import type { JsonObject } from '@toolcrib/registry'

/** A file in `custom-tools` that no record matches. */
export type UnrecordedCustomTool =
  | {
      /** Relative to the store's folder. */
      readonly file: string
      /** What the file holds: a proposal at best, never something to run. */
      readonly content: JsonObject
      readonly problem?: undefined
    }
  | {
      readonly file: string
      /** Why the file cannot be read as a tool. */
      readonly problem: string
      readonly content?: undefined
    }
