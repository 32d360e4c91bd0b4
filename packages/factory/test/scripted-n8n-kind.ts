import type { RemovalOutcome } from '@toolcrib/n8n'
import { nodeCatalogue } from '@toolcrib/n8n/workflow'
import type { ToolKind, ValidationCheck } from '@toolcrib/toolsmaker'
import type { N8nToolKeeper } from '../src/index.ts'
import type { N8nToolHealth } from '@toolcrib/kind-n8n'

/** What a scripted kind answers. */
interface N8nKindScript {
  checks?: readonly ValidationCheck[]
  health?: (toolName: string, signal: AbortSignal | undefined) => Promise<Partial<N8nToolHealth>>
  remove?: (toolName: string) => Promise<RemovalOutcome>
  /** What calls give. @default { ran: <input> } */
  output?: unknown
}

interface KeptKind
  extends ToolKind, Pick<N8nToolKeeper, 'health' | 'nodeCatalogue' | 'removeFromServer'> {}

/** A kind `n8n` without any server: what it is asked is remembered, what it answers is scripted and may be changed. */
export interface ScriptedN8nKind {
  readonly kind: KeptKind
  readonly asked: string[]
  script: N8nKindScript
}

/** Makes a {@link ScriptedN8nKind}. */
export function createScriptedN8nKind(): ScriptedN8nKind {
  const asked: string[] = []
  const made: ScriptedN8nKind = {
    asked,
    script: {},
    kind: {
      kind: 'n8n',
      check: () => made.script.checks ?? [],
      nodeCatalogue: async () => nodeCatalogue(),
      gatherEvidence: () => [],
      describePowers: () => ['Runs on n8n.'],
      describeSteps: () => ['It starts.'],
      compile: () => ({ execute: async (input) => made.script.output ?? { ran: input } }),
      deploy: async ({ name }) => {
        asked.push(`deploy ${name}`)
      },
      retire: async ({ name }) => {
        asked.push(`retire ${name}`)
      },
      health: async (toolName, options) => {
        asked.push(`health ${toolName}`)
        const health = await made.script.health?.(toolName, options?.signal)
        return {
          toolName,
          baseUrl: 'http://n8n.example',
          isReachable: true,
          state: 'absent',
          ...health,
        }
      },
      removeFromServer: async (toolName) => {
        asked.push(`remove ${toolName}`)
        return (await made.script.remove?.(toolName)) ?? { removed: true, left: [] }
      },
    },
  }
  return made
}
