import type { JsonObject, JsonValue } from '@toolcrib/registry'
import type { N8nCredentialReference, N8nNode } from '../n8n-workflow.ts'
import { nodeFields } from '../workflow-fields.ts'
import { either, quote } from './quote.ts'
import type { ReadContext } from './read-context.ts'
import { isObject } from '../is-object.ts'

/** A node whose missing parts are still to be filled in. */
export interface DraftNode extends Omit<N8nNode, 'id' | 'typeVersion' | 'position' | 'parameters'> {
  /** Where it stands, such as `nodes[2]`. */
  readonly place: string
  readonly id?: string
  readonly typeVersion?: number
  readonly position?: readonly [number, number]
  readonly parameters?: JsonObject
}

const knownFields: ReadonlySet<string> = new Set(nodeFields)

const flags = [
  'disabled',
  'notesInFlow',
  'retryOnFail',
  'alwaysOutputData',
  'executeOnce',
  'continueOnFail',
] as const
const reactions = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const

interface FieldRule {
  readonly test: (value: JsonValue) => boolean
  readonly rule: string
}

const isText = (value: JsonValue): boolean => typeof value === 'string' && value.trim() !== ''
const isFlag = (value: JsonValue): boolean => typeof value === 'boolean'
const isNumber = (value: JsonValue): boolean => typeof value === 'number'
const isWithin =
  (least: number, most: number) =>
  (value: JsonValue): boolean =>
    typeof value === 'number' && value >= least && value <= most
const flag: FieldRule = { test: isFlag, rule: 'true or false' }

const rules: Readonly<Record<string, FieldRule>> = {
  id: { test: isText, rule: 'a text' },
  name: { test: isText, rule: 'a text' },
  type: { test: isText, rule: 'a text such as "n8n-nodes-base.set"' },
  typeVersion: { test: isNumber, rule: 'a number such as 3.4' },
  position: {
    test: (value) =>
      Array.isArray(value) && value.length === 2 && (value as JsonValue[]).every(isNumber),
    rule: 'a list of two numbers',
  },
  parameters: { test: isObject, rule: 'an object' },
  credentials: { test: isObject, rule: 'an object' },
  webhookId: { test: isText, rule: 'a text' },
  notes: { test: (value) => typeof value === 'string', rule: 'a text' },
  onError: {
    test: (value) => (reactions as readonly JsonValue[]).includes(value),
    rule: either(reactions),
  },
  // Beyond these n8n takes the nearest ones: n8n-core, workflow-execute.
  maxTries: { test: isWithin(2, 5), rule: 'a number from 2 to 5' },
  waitBetweenTries: { test: isWithin(1, 5_000), rule: 'a number of milliseconds from 1 to 5000' },
  ...Object.fromEntries(flags.map((name) => [name, flag])),
}

/** What they say counts where a node is tried again. */
const retryFields: ReadonlySet<string> = new Set(['maxTries', 'waitBetweenTries'])

/** Reads one node. Undefined when it has no name or type, so that nothing more can be said about it. */
export function readNode(
  json: JsonValue,
  place: string,
  context: ReadContext,
): DraftNode | undefined {
  const { problems, repairs } = context
  if (!isObject(json)) {
    problems.error({
      code: 'bad-node',
      path: place,
      message: `${place} is an object with name, type and parameters; it is ${quote(json)}.`,
      fix: 'Write the node as an object.',
    })
    return undefined
  }
  const name = typeof json['name'] === 'string' ? json['name'] : undefined
  const unknown = Object.keys(json).filter((key) => !knownFields.has(key))
  if (unknown.length > 0)
    repairs.push(
      `Left out ${either(unknown).replace(' or ', ' and ')} of ${
        name === undefined ? place : quote(name)
      }: nodes have no such fields.`,
    )
  const fields: Record<string, JsonValue> = {}
  for (const field of nodeFields) {
    const value = json[field]
    // An editor's export writes null for what is not set.
    if (value === undefined || (value === null && field !== 'name' && field !== 'type')) continue
    const rule = rules[field]
    if (rule === undefined || rule.test(value)) fields[field] = value
    else if (retryFields.has(field) && json['retryOnFail'] !== true)
      repairs.push(
        `Left out ${field} of ${name === undefined ? place : quote(name)}: it is not tried again.`,
      )
    else
      problems.error({
        code: 'bad-node-field',
        path: `${place}.${field}`,
        ...(name !== undefined && { node: name }),
        message: `${field} of a node is ${rule.rule}; it is ${quote(value)}.`,
        fix: `Correct ${field}${field === 'name' || field === 'type' ? '' : ', or leave it out'}.`,
      })
  }
  for (const field of ['name', 'type'])
    if (json[field] === undefined)
      problems.error({
        code: 'bad-node-field',
        path: `${place}.${field}`,
        ...(name !== undefined && { node: name }),
        message: `${name === undefined ? place : quote(name)} has no ${field}.`,
        fix: field === 'name' ? 'Give it a name.' : 'Say what it is, such as "n8n-nodes-base.set".',
      })
  if (name === undefined || fields['name'] === undefined || fields['type'] === undefined)
    return undefined
  const { credentials, ...rest } = fields
  const references = readCredentials(credentials, { place, name }, context)
  return {
    ...(rest as unknown as DraftNode),
    place,
    ...(references && { credentials: references }),
  }
}

function readCredentials(
  json: JsonValue | undefined,
  { place, name }: { readonly place: string; readonly name: string },
  { problems, repairs }: ReadContext,
): Readonly<Record<string, N8nCredentialReference>> | undefined {
  if (!isObject(json) || Object.keys(json).length === 0) return undefined
  const references: Record<string, N8nCredentialReference> = {}
  for (const [type, value] of Object.entries(json)) {
    const reference = isObject(value) ? value : {}
    const { id, name: title } = reference
    if (typeof id !== 'string' || id === '' || (title !== undefined && typeof title !== 'string')) {
      problems.error({
        code: 'bad-credential',
        path: `${place}.credentials.${type}`,
        node: name,
        message: `The credential ${quote(type)} of ${quote(name)} is no reference with id and name.`,
        fix: 'Write { "id": "…", "name": "…" } of a credential that n8n keeps; never its value.',
      })
      continue
    }
    const extra = Object.keys(reference).filter((key) => key !== 'id' && key !== 'name')
    if (extra.length > 0)
      repairs.push(
        `Left out everything but id and name of the credential ${quote(type)} of ${quote(name)}.`,
      )
    references[type] = { id, name: typeof title === 'string' ? title : type }
  }
  return references
}
