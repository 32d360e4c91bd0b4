/** What is read of a parameter in the description of a node type. */
export interface DescribedProperty {
  readonly name: string
  readonly type?: string
  readonly default?: unknown
  readonly required?: boolean
  readonly noDataExpression?: boolean
  readonly options?: readonly {
    readonly value?: unknown
    /** Of a group, with its parameters. */
    readonly name?: string
    readonly values?: readonly DescribedProperty[]
  }[]
  readonly typeOptions?: {
    readonly loadOptionsMethod?: string
    readonly loadOptions?: unknown
    readonly multipleValues?: boolean
  }
  readonly displayOptions?: DisplayOptions
}

export interface DisplayOptions {
  readonly show?: Readonly<Record<string, readonly unknown[]>>
  readonly hide?: Readonly<Record<string, readonly unknown[]>>
}

export interface DescribedCredential {
  readonly name: string
  readonly required?: boolean
  readonly displayOptions?: DisplayOptions
}

/** One entry of `types/nodes.json`: a node type, or some versions of it. */
export interface DescribedNode {
  readonly name: string
  readonly version: number | readonly number[]
  readonly group?: readonly string[]
  readonly webhooks?: readonly unknown[]
  readonly inputs?: unknown
  readonly outputs?: unknown
  readonly usableAsTool?: unknown
  readonly credentials?: readonly DescribedCredential[]
  readonly properties: readonly DescribedProperty[]
}
