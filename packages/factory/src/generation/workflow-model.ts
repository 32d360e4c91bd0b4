/** One thing that was said to or by a model. */
export interface ModelMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** A model that writes text, whoever runs it. */
export interface WorkflowModel {
  /** Gives what the model wrote, whole. Rejects when it cannot be asked, or `signal` aborts. */
  generate(
    request: {
      readonly system: string
      readonly messages: readonly ModelMessage[]
      readonly maxOutputTokens: number
    },
    options: { readonly signal: AbortSignal },
  ): Promise<{
    readonly text: string
    /** Whether it was cut off at `maxOutputTokens`. */ readonly isCut: boolean
  }>
}
