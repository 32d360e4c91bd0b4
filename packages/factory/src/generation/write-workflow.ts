import { type ModelAnswer, askWorkflowModel, type AskModelOptions } from './ask-workflow-model.ts'
import {
  checkGeneratedTool,
  type GeneratedCheck,
  type GeneratedCheckOptions,
  type GeneratedTool,
} from './check-generated-tool.ts'
import { type GenerationProblem, readGeneratedText } from './read-generated-text.ts'
import type { ModelMessage } from './workflow-model.ts'
import { repairRequest, workflowRequest } from './workflow-prompt.ts'

/** What is written, and what it is checked against. */
export interface WriteWorkflowOptions extends GeneratedCheckOptions {
  readonly toolName: string
  readonly description: string
  readonly ask: AskModelOptions
  /** What the kind has against a tool that passed every other check. */
  readonly checkByKind: (tool: GeneratedTool) => Promise<readonly GenerationProblem[]>
}

/** What became of it. */
export type WrittenWorkflow =
  | { readonly ok: true; readonly tool: GeneratedTool; readonly modelCalls: number }
  | {
      readonly ok: false
      readonly problems: readonly GenerationProblem[]
      /** What the model wrote at last. */
      readonly text: string
      readonly modelCalls: number
    }

/** More of a wrong answer than this is not sent back to the model. */
const longestEcho = 60_000
/** The model is asked once, and once more with what is wrong. */
const mostCalls = 2

async function judge(
  { isCut, text }: ModelAnswer,
  options: WriteWorkflowOptions,
): Promise<GeneratedCheck> {
  const reading = readGeneratedText(text, { isCut })
  if (!reading.ok) return reading
  const check = checkGeneratedTool(reading.tool, options.toolName, options)
  if (!check.ok) return check
  const problems = await options.checkByKind(check.tool)
  return problems.length === 0 ? check : { ok: false, problems }
}

/**
 * Has a model write a tool, and checks it. What is wrong is told to the model once, with what to do; then it is over.
 *
 * @throws {ToolError} WORKFLOW_MODEL_FAILED or WORKFLOW_MODEL_TIMEOUT.
 * @throws the signal's reason when it is aborted.
 */
export async function writeWorkflow(options: WriteWorkflowOptions): Promise<WrittenWorkflow> {
  const messages: ModelMessage[] = [
    { role: 'user', text: workflowRequest(options.toolName, options.description) },
  ]
  for (let modelCalls = 1; ; modelCalls += 1) {
    const answer = await askWorkflowModel(messages, options.ask)
    const check = await judge(answer, options)
    if (check.ok) return { ok: true, tool: check.tool, modelCalls }
    const { problems } = check
    if (modelCalls >= mostCalls) return { ok: false, problems, text: answer.text, modelCalls }
    const echo = answer.text.slice(0, longestEcho).toWellFormed()
    messages.push(
      { role: 'assistant', text: echo.trim() === '' ? '(no text)' : echo },
      { role: 'user', text: repairRequest(problems) },
    )
  }
}
