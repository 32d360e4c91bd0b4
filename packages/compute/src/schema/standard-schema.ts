/** What a schema says about a value, in the form of Standard Schema. */
export type ComputeSchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string
        readonly path: readonly (string | number)[]
      }[]
    }

/** A Standard Schema (version 1) with JSON Schema for the targets `draft-2020-12` and `draft-07`. */
export interface ComputeSchema<Input, Output> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly validate: (value: unknown) => ComputeSchemaResult<Output>
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>
      readonly output: (options: { readonly target: string }) => Record<string, unknown>
    }
  }
}
