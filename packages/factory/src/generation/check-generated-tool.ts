import type { N8nWorkflow } from '@toolcrib/n8n'
import { describeWorkflow, validateWorkflow, type WorkflowProblem } from '@toolcrib/n8n/workflow'
import {
  assertStoredSchema,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  ToolError,
} from '@toolcrib/registry'
import { isJsonObject } from '@toolcrib/kind-compute'
import { credentialProblems } from '../tools/n8n/credential-problems.ts'
import type { N8nFactoryOptions } from '../tools/n8n/n8n-factory-options.ts'
import { readBodyNames } from './read-body-names.ts'
import type { GenerationProblem, WrittenTool } from './read-generated-text.ts'
import { inputsToSchema, toolInputsSchema } from '../custom-tools/tool-parameters.ts'

/** A tool that a model wrote, checked. */
export interface GeneratedTool {
  /** Absent where the model gave none. */
  readonly description?: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly workflow: N8nWorkflow
  /** Origins that nodes reach. */
  readonly hosts: readonly string[]
  /** What was repaired or assumed, and what is probably a mistake. */
  readonly warnings: readonly string[]
}

/** What checking gave. */
export type GeneratedCheck =
  | { readonly ok: true; readonly tool: GeneratedTool }
  | { readonly ok: false; readonly problems: readonly GenerationProblem[] }

/** What a written tool is checked against. */
export type GeneratedCheckOptions = Pick<N8nFactoryOptions, 'catalogue' | 'credentials' | 'policy'>

/** At most this much of a description is kept. */
const longestDescription = 2_000

const toProblem = ({ fix, message, path }: WorkflowProblem): GenerationProblem => ({
  path: path === '' ? 'workflow' : `workflow.${path}`,
  message,
  ...(fix === undefined ? {} : { fix }),
})

type Part<Value> = { readonly value: Value } | { readonly problems: readonly GenerationProblem[] }

function readInputs(inputs: JsonValue | undefined): Part<JsonSchema> {
  const parsed = toolInputsSchema.safeParse(inputs ?? {})
  if (parsed.success) return { value: inputsToSchema(parsed.data) }
  const problems = parsed.error.issues
    .slice(0, 20)
    .map(({ message, path }) => ({ path: ['inputs', ...path.map(String)].join('.'), message }))
  return { problems }
}

/** Nothing says of what type such inputs are, so any value is taken. */
function inferInputs(workflow: N8nWorkflow): JsonSchema {
  const properties: Record<string, JsonObject> = {}
  for (const name of readBodyNames(workflow).names)
    properties[name] = { description: `The workflow reads it as $json.body.${name}.` }
  return { type: 'object', properties, additionalProperties: false }
}

function readOutput(output: JsonValue | undefined): Part<JsonSchema | undefined> {
  if (output === undefined || output === null) return { value: undefined }
  const fix =
    'Write a JSON Schema such as { "type": "object", "properties": { … } }, or leave it out.'
  if (!isJsonObject(output))
    return { problems: [{ path: 'output', message: 'It is no JSON Schema.', fix }] }
  try {
    assertStoredSchema(output)
    return { value: output }
  } catch (error) {
    if (!ToolError.is(error)) throw error
    return { problems: [{ path: 'output', message: error.message, fix }] }
  }
}

/** Whether what the workflow reads and what the tool takes are the same. */
function compareNames(
  workflow: N8nWorkflow,
  schema: JsonSchema,
): { readonly problems: readonly GenerationProblem[]; readonly warnings: readonly string[] } {
  const { isWholeUsed, names } = readBodyNames(workflow)
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const isOpen =
    isJsonObject(schema['additionalProperties']) || schema['additionalProperties'] === true
  const problems = isOpen
    ? []
    : names
        .filter((name) => !Object.hasOwn(properties, name))
        .map((name) => ({
          path: 'inputs',
          message: `The workflow reads the argument ${JSON.stringify(name)}, which is not there.`,
          fix: 'Add it, or do not read it.',
        }))
  const unread = Object.keys(properties).filter((name) => !names.includes(name))
  return {
    problems,
    warnings:
      isWholeUsed || unread.length === 0
        ? []
        : [
            `No expression reads ${unread.map((name) => JSON.stringify(name)).join(', ')} as $json.body.<name>.`,
          ],
  }
}

function nameWorkflow(workflow: JsonObject, toolName: string): JsonObject {
  const { connections, name, settings } = workflow
  return {
    ...workflow,
    // Both are needed by n8n, and neither can be meant otherwise.
    name: typeof name === 'string' && name.trim() !== '' ? name : toolName,
    settings: settings === undefined ? {} : settings,
    connections: connections === undefined ? {} : connections,
  }
}

/**
 * Checks strictly what a model wrote: the workflow with the checker of `@toolcrib/n8n` and its policy, inputs, output,
 * credentials, and that what the workflow reads is what the tool takes.
 */
export function checkGeneratedTool(
  written: WrittenTool,
  toolName: string,
  { catalogue, credentials = [], policy }: GeneratedCheckOptions,
): GeneratedCheck {
  const checked = validateWorkflow(nameWorkflow(written.workflow, toolName), {
    ...(catalogue === undefined ? {} : { catalogue }),
    ...(policy === undefined ? {} : { policy }),
  })
  const problems: GenerationProblem[] = checked.problems
    .filter(({ severity }) => severity === 'error')
    .map((problem) => toProblem(problem))
  const output = readOutput(written.output)
  if ('problems' in output) problems.push(...output.problems)
  const inputs =
    written.isBare && checked.ok
      ? { value: inferInputs(checked.workflow) }
      : readInputs(written.inputs)
  if ('problems' in inputs) problems.push(...inputs.problems)
  if (written.otherKeys.length > 0)
    problems.push({
      path: '',
      message: `There are unknown keys: ${written.otherKeys.slice(0, 10).join(', ')}.`,
      fix: 'Leave them out.',
    })
  const warnings = [...written.repairs]
  if (checked.ok) {
    problems.push(...credentialProblems(checked.workflow, credentials))
    if ('value' in inputs) {
      const compared = compareNames(checked.workflow, inputs.value)
      problems.push(...compared.problems)
      warnings.push(...compared.warnings)
    }
    warnings.push(...checked.repairs, ...checked.problems.map(({ message }) => message))
  }
  if (!checked.ok || problems.length > 0 || 'problems' in inputs || 'problems' in output)
    return { ok: false, problems }
  if (written.isBare)
    warnings.push(
      `The model wrote a workflow without inputs; they were inferred from what it reads (${readBodyNames(checked.workflow).names.join(', ') || 'none'}), and take values of any type.`,
    )
  const { description } = written
  return {
    ok: true,
    tool: {
      ...(typeof description === 'string' && description.trim() !== ''
        ? { description: description.slice(0, longestDescription).toWellFormed() }
        : {}),
      inputSchema: inputs.value,
      ...(output.value === undefined ? {} : { outputSchema: output.value }),
      workflow: checked.workflow,
      hosts: describeWorkflow(checked.workflow).hosts,
      warnings: warnings.slice(0, 20),
    },
  }
}
