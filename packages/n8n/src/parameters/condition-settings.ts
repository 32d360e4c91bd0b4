import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { isObject } from '../is-object.ts'
import type { N8nNode } from '../n8n-workflow.ts'
import { type IgnoredParameter, type ParameterPath, notRead } from './ignored-parameter.ts'

type Node = Pick<N8nNode, 'type' | 'typeVersion'>

/** Nodes with conditions, and the version from which on `looseTypeValidation` is no longer one of their options. */
const looseOutside: Readonly<Record<string, number>> = {
  'n8n-nodes-base.filter': 2.1,
  'n8n-nodes-base.if': 2.1,
  'n8n-nodes-base.switch': 3.1,
}

/** How conditions that do not say it are compared; n8n 2 fills it in, in n8n-workflow, node-helpers. */
const presets: JsonObject = {
  caseSensitive: true,
  leftValue: '',
  typeValidation: 'strict',
  version: 1,
}

interface Setting {
  readonly path: ParameterPath
  readonly value: boolean
  /** What it makes the editor write into the options of conditions. */
  readonly option: 'caseSensitive' | 'typeValidation'
  readonly written: JsonValue
}

/**
 * What stands beside conditions about how they compare. Only the editor reads it, and writes into `conditions.options` what it
 * says (`typeOptions.filter` in n8n-nodes-base, If/V2); what n8n compares by is there.
 */
function settingsOf({ type, typeVersion }: Node, parameters: JsonObject): readonly Setting[] {
  const outside = Object.hasOwn(looseOutside, type) ? looseOutside[type] : undefined
  if (outside === undefined || typeVersion < Math.floor(outside)) return []
  const { looseTypeValidation, options = {} } = parameters
  const inside = isObject(options) ? options : {}
  const loose = typeVersion < outside ? inside['looseTypeValidation'] : looseTypeValidation
  const loosePath = [...(typeVersion < outside ? ['options'] : []), 'looseTypeValidation']
  const { ignoreCase } = inside
  const settings: Setting[] = []
  if (typeof ignoreCase === 'boolean')
    settings.push({
      path: ['options', 'ignoreCase'],
      value: ignoreCase,
      option: 'caseSensitive',
      written: !ignoreCase,
    })
  if (typeof loose === 'boolean')
    settings.push({
      path: loosePath,
      value: loose,
      option: 'typeValidation',
      written: loose ? 'loose' : 'strict',
    })
  return settings
}

/** The options that conditions of a node have which do not say any. */
export function defaultOptions(node: Node, parameters: JsonObject): JsonObject {
  const settings = settingsOf(node, parameters)
  return {
    ...presets,
    ...Object.fromEntries(settings.map(({ option, written }) => [option, written])),
  }
}

/** Settings beside conditions that say otherwise than the conditions. */
export function ignoredSettings(node: Node, parameters: JsonObject): readonly IgnoredParameter[] {
  const settings = settingsOf(node, parameters)
  if (settings.length === 0) return []
  const all = optionsIn(parameters)
  return settings.flatMap(({ option, path, value, written }) =>
    all.some((options) => (options[option] ?? presets[option]) !== written)
      ? [
          notRead(value, path, {
            reason: 'code',
            why: `the options of its conditions say ${JSON.stringify(option)} otherwise, and by those it compares`,
            fix: `Write ${JSON.stringify(option)}: ${JSON.stringify(written)} into the options of the conditions, or leave ${path.at(-1) ?? ''} out.`,
          }),
        ]
      : [],
  )
}

/** The options of all conditions in a value. */
function optionsIn(value: JsonValue): readonly JsonObject[] {
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).flatMap((each) => optionsIn(each))
  if (!isObject(value)) return []
  if (!Array.isArray(value['conditions']))
    return Object.values(value).flatMap((each) => optionsIn(each))
  const { options = {} } = value
  return isObject(options) ? [options] : []
}
