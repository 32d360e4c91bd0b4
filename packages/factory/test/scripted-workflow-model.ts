import type { ModelMessage, WorkflowModel } from '../src/index.ts'

/** What a scripted model says next: a text, a text that was cut off, an error, or nothing ever. */
export type ScriptedAnswer =
  | string
  | { readonly text: string; readonly isCut: boolean }
  | Error
  | { readonly isSilent: true }

interface AskedRequest {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly maxOutputTokens: number
}

/** A model that says what it is told to, in that order, and remembers what it was asked. */
export interface ScriptedWorkflowModel extends WorkflowModel {
  readonly asked: readonly AskedRequest[]
}

/** Makes a {@link ScriptedWorkflowModel}. Beyond its script it fails. */
export function createScriptedWorkflowModel(
  answers: readonly ScriptedAnswer[],
): ScriptedWorkflowModel {
  const asked: AskedRequest[] = []
  return {
    asked,
    generate: async (request, { signal }) => {
      const answer = answers[asked.length]
      asked.push(structuredClone(request))
      if (answer === undefined) throw new Error('the script is over')
      if (answer instanceof Error) throw answer
      if (typeof answer === 'object' && 'isSilent' in answer)
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
        })
      return typeof answer === 'string' ? { text: answer, isCut: false } : answer
    },
  }
}
