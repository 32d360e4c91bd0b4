import type { JsonObject, JsonValue } from '@toolcrib/registry'
import JSON5 from 'json5'
import { isJsonObject } from '@toolcrib/kind-compute'
import { findWrittenObjects } from './written-objects.ts'

/** One thing that is wrong with what a model wrote. */
export interface GenerationProblem {
  /** Such as `workflow.nodes[2].parameters.url`; empty for the whole. */
  readonly path: string
  readonly message: string
  /** What to do. */
  readonly fix?: string
}

/** What a model wrote, found in its text; nothing of it is checked but that there is a workflow. */
export interface WrittenTool {
  readonly description?: JsonValue
  readonly inputs?: JsonValue
  readonly output?: JsonValue
  readonly workflow: JsonObject
  /** Keys beside those. */
  readonly otherKeys: readonly string[]
  /** Whether it was the workflow alone, without what belongs around it. */
  readonly isBare: boolean
  /** What was read differently than it was written, in sentences. */
  readonly repairs: readonly string[]
}

/** What reading gave. */
export type GeneratedReading =
  | { readonly ok: true; readonly tool: WrittenTool }
  | { readonly ok: false; readonly problems: readonly GenerationProblem[] }

/** How a text is read. */
export interface ReadGeneratedOptions {
  /** Whether the model was cut off. */
  readonly isCut?: boolean
  /** A longer text is not read, in characters. @default 400_000 */
  readonly maxLength?: number
}

const wantedShape =
  'Answer with exactly one JSON object: { "description", "inputs", "output", "workflow" }.'

interface Parsed {
  readonly value: JsonObject
  readonly isMended: boolean
}

/**
 * JSON, or JSON5: what models write beside JSON, such as trailing commas and comments, has one meaning there. A parser that
 * repairs more would have to guess.
 */
function parse(text: string): Parsed | undefined {
  for (const isMended of [false, true])
    try {
      const value = (isMended ? JSON5.parse<JsonValue>(text) : JSON.parse(text)) as JsonValue
      return isJsonObject(value) ? { value, isMended } : undefined
    } catch {
      // Not this way.
    }
  return undefined
}

const isWorkflow = (value: JsonValue | undefined): value is JsonObject =>
  isJsonObject(value) && Array.isArray(value['nodes'])

function toTool({ isMended, value }: Parsed): WrittenTool | undefined {
  const repairs = isMended ? ['What the model wrote was not quite JSON; it was read as JSON5.'] : []
  const { description, inputs, output, workflow, ...others } = value
  if (isWorkflow(workflow))
    return {
      ...(description === undefined ? {} : { description }),
      ...(inputs === undefined ? {} : { inputs }),
      ...(output === undefined ? {} : { output }),
      workflow,
      otherKeys: Object.keys(others),
      isBare: false,
      repairs,
    }
  return isWorkflow(value) ? { workflow: value, otherKeys: [], isBare: true, repairs } : undefined
}

const refuse = (message: string, fix: string): GeneratedReading => ({
  ok: false,
  problems: [{ path: '', message, fix }],
})

/**
 * Finds the tool in what a model wrote: in fences, between prose, with trailing commas and the like, without what
 * belongs around the workflow. What was cut off is not completed by guessing.
 */
export function readGeneratedText(
  text: string,
  { isCut = false, maxLength = 400_000 }: ReadGeneratedOptions = {},
): GeneratedReading {
  if (text.length > maxLength)
    return refuse(
      `The answer has ${text.length} characters; at most ${maxLength} are read.`,
      'Write a smaller workflow, without data in it.',
    )
  const { isOpen, isTooDeep, objects } = findWrittenObjects(text)
  const found = new Map<string, WrittenTool>()
  for (const object of objects) {
    const parsed = parse(object)
    const tool = parsed === undefined ? undefined : toTool(parsed)
    if (tool !== undefined) found.set(JSON.stringify(tool), tool)
  }
  const [tool, ...others] = found.values()
  if (isOpen && tool === undefined)
    return refuse(
      isCut
        ? 'The answer was cut off before its end.'
        : 'The JSON object in the answer never ends.',
      'Write the whole object, shorter: no notes, few nodes.',
    )
  if (isTooDeep && tool === undefined)
    return refuse('The JSON is nested deeper than 64 levels.', 'Write it flatter.')
  if (tool === undefined)
    return refuse(
      objects.length === 0
        ? `There is no JSON object in the answer${isCut ? ', which was cut off' : ''}.`
        : 'No JSON object in the answer has a "workflow" with a list of "nodes".',
      wantedShape,
    )
  if (others.length > 0 || isOpen)
    return refuse(
      `The answer has ${isOpen ? 'another, unfinished JSON object' : `${others.length + 1} different workflows`}.`,
      wantedShape,
    )
  return { ok: true, tool }
}
