import type { JsonObject, JsonValue } from '@toolcrib/registry'

/** A reference to a credential that n8n keeps; never its value. */
export interface N8nCredentialReference {
  readonly id: string
  readonly name: string
}

/** One node of a workflow, as n8n's public API takes it. */
export interface N8nNode {
  readonly id: string
  readonly name: string
  /** With its package, such as `n8n-nodes-base.httpRequest`. */
  readonly type: string
  readonly typeVersion: number
  readonly position: readonly [number, number]
  readonly parameters: JsonObject
  /** By credential type, such as `httpHeaderAuth`. */
  readonly credentials?: Readonly<Record<string, N8nCredentialReference>>
  /** Names a webhook; n8n 1.x gives no short address to one without. */
  readonly webhookId?: string
  readonly disabled?: boolean
  readonly notes?: string
  readonly notesInFlow?: boolean
  readonly onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput'
  readonly retryOnFail?: boolean
  readonly maxTries?: number
  /** In milliseconds. */
  readonly waitBetweenTries?: number
  readonly alwaysOutputData?: boolean
  readonly executeOnce?: boolean
  readonly continueOnFail?: boolean
}

/** Where an output leads. */
export interface N8nConnectionTarget {
  /** The name of a node, not its id. */
  readonly node: string
  /** Such as `main` or `ai_tool`. */
  readonly type: string
  readonly index: number
}

/** By the name of the node they start at, then by type, then by output. */
export type N8nConnections = Readonly<
  Record<
    string,
    Readonly<Record<string, readonly (readonly N8nConnectionTarget[] | null | undefined)[]>>
  >
>

/** What a workflow is, without what a server adds to it. */
export interface N8nWorkflow {
  /** 1 to 128 characters. */
  readonly name: string
  readonly nodes: readonly N8nNode[]
  readonly connections: N8nConnections
  readonly settings: JsonObject
  readonly staticData?: JsonValue
  readonly pinData?: JsonObject
}
