import type { JsonObject, JsonValue } from '@toolcrib/registry'
import type { WorkflowLimits } from '../workflow-check.ts'
import type { ProblemList } from './problem-list.ts'
import { joinPath, quote } from './quote.ts'

interface Reading {
  readonly limits: WorkflowLimits
  readonly problems: ProblemList
  /** Objects that the current one lies in. */
  readonly parents: Set<object>
  values: number
  characters: number
}

/** Thrown inside, when reading on makes no sense. */
class Refused extends Error {}

/**
 * Copies a value from anywhere into plain JSON with sorted keys, without running anything of it: no getter, no `toJSON`. Reads no further
 * than the limits. Undefined when the value is refused; the problem says why.
 */
export function readJson(
  value: unknown,
  limits: WorkflowLimits,
  problems: ProblemList,
): JsonValue | undefined {
  const reading: Reading = { limits, problems, parents: new Set(), values: 0, characters: 0 }
  try {
    return copy(value, '', reading)
  } catch (error) {
    // A proxy may throw whatever it likes; it is no JSON then.
    if (!(error instanceof Refused))
      problems.error({
        code: 'not-json',
        path: '',
        message: 'The workflow cannot be read: one of its objects throws when it is looked at.',
        fix: 'Hand over plain data, such as JSON.parse gives.',
      })
    return undefined
  }
}

function copy(value: unknown, path: string, reading: Reading): JsonValue {
  reading.values += 1
  if (reading.values > reading.limits.maxValues)
    refuse(reading, {
      code: 'too-large',
      path: '',
      reason: `has more than ${reading.limits.maxValues} values`,
    })
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return copyText(value, path, reading)
  if (typeof value === 'number') {
    if (!Number.isFinite(value))
      refuse(reading, { code: 'not-json', path, reason: `is ${value}, which JSON has not` })
    return value
  }
  if (typeof value !== 'object')
    return refuse(reading, { code: 'not-json', path, reason: `is a ${typeof value}` })
  if (reading.parents.has(value))
    refuse(reading, { code: 'not-json', path, reason: 'contains itself' })
  if (reading.parents.size >= reading.limits.maxDepth)
    refuse(reading, {
      code: 'too-large',
      path: '',
      reason: `nests deeper than ${reading.limits.maxDepth}`,
    })
  reading.parents.add(value)
  const copied = Array.isArray(value)
    ? copyList(value, path, reading)
    : copyObject(value, path, reading)
  reading.parents.delete(value)
  return copied
}

function copyText(text: string, path: string, reading: Reading): string {
  reading.characters += text.length
  if (reading.characters > reading.limits.maxCharacters)
    refuse(reading, {
      code: 'too-large',
      path: '',
      reason: `has more than ${reading.limits.maxCharacters} characters`,
    })
  if (text.isWellFormed()) return text
  reading.problems.error({
    code: 'broken-text',
    path,
    message: `${path} holds half a character (a lone surrogate): ${quote(text)}.`,
    fix: 'Write the text again.',
  })
  return text.toWellFormed()
}

function copyList(list: readonly unknown[], path: string, reading: Reading): JsonValue[] {
  if (list.length > reading.limits.maxValues - reading.values)
    refuse(reading, {
      code: 'too-large',
      path: '',
      reason: `has more than ${reading.limits.maxValues} values`,
    })
  const copied: JsonValue[] = []
  for (let index = 0; index < list.length; index += 1)
    copied.push(
      copy(ownData(list, String(index), { path, reading }) ?? null, joinPath(path, index), reading),
    )
  return copied
}

function copyObject(object: object, path: string, reading: Reading): JsonObject {
  const prototype: unknown = Object.getPrototypeOf(object)
  // Objects of other realms have another Object.prototype, but a chain just as short.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    refuse(reading, { code: 'not-json', path, reason: 'is no plain object' })
  const copied: Record<string, JsonValue> = {}
  // In one order, so that neither problems nor what is repaired depend on the order in which somebody wrote.
  for (const key of Object.keys(object).toSorted()) {
    const name = copyText(key, path, reading)
    const inside = joinPath(path, name)
    if (name === '__proto__') {
      reading.problems.error({
        code: 'forbidden-key',
        path: inside,
        message: `${path === '' ? 'The workflow' : path} has the key "__proto__".`,
        fix: 'Give it another name.',
      })
      continue
    }
    const value = ownData(object, key, { path: inside, reading })
    // As in JSON, what is undefined is not there.
    if (value !== undefined) copied[name] = copy(value, inside, reading)
  }
  return copied
}

/** The value of a property; one that would have to be computed is refused. */
function ownData(
  object: object,
  key: string,
  { path, reading }: { readonly path: string; readonly reading: Reading },
): unknown {
  const property = Object.getOwnPropertyDescriptor(object, key)
  if (property && !('value' in property))
    refuse(reading, { code: 'not-json', path, reason: 'is computed by a getter' })
  return property?.value
}

interface Refusal {
  readonly code: 'not-json' | 'too-large'
  readonly path: string
  readonly reason: string
}

function refuse({ problems }: Reading, { code, path, reason }: Refusal): never {
  problems.error({
    code,
    path,
    message: `${path === '' ? 'The workflow' : path} ${reason}.`,
    fix:
      code === 'too-large'
        ? 'Make the workflow smaller, or raise the limit in `limits`.'
        : 'Hand over plain data, such as JSON.parse gives.',
  })
  throw new Refused()
}
