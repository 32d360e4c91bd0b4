import type { N8nWorkflow } from '@toolcrib/n8n'
import type { JsonObject } from '@toolcrib/registry'

/** The definition of a tool of kind `n8n`: what is hashed, reviewed and signed. */
export interface N8nDefinition {
  /** As its author wrote it, checked and completed; its one webhook is bound only when it is put onto a server. */
  readonly workflow: N8nWorkflow
  /** The template it was made from, with everything that was filled in. */
  readonly template?: { readonly slug: string; readonly customizations: JsonObject }
}
