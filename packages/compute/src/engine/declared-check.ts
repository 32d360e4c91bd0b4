import type { ComputeLimits } from '../language/compute-limits.ts'
import type { ValueDeclaration } from '../language/compute-logic.ts'
import { columnSize } from './column-operations.ts'
import { keyOf } from './frame.ts'
import { chooseLoader, loadRows } from './row-loaders.ts'

/** Tells whether a value is as declared; false also where that is not told so fast. */
export type QuickCheck = (value: unknown) => boolean

const plain: object = Object.prototype
const most = Number.MAX_SAFE_INTEGER
const raw = [0, 1, 2].map(() => new Float64Array(columnSize)) as [
  Float64Array,
  Float64Array,
  Float64Array,
]

const never: QuickCheck = () => false

/** A check that makes no copy, for plain values: what it does not pass is left to the exact one. */
export function compileCheck(declaration: ValueDeclaration, limits: ComputeLimits): QuickCheck {
  const {
    type,
    enum: choices,
    format,
    maxLength = most,
    maxItems = most,
    items,
    fields,
  } = declaration
  const isChoice: QuickCheck = (value) => choices === undefined || choices.includes(value as string)
  switch (type) {
    case 'number':
    case 'integer': {
      const { min = -most, max = most } = declaration
      const isWhole = type === 'integer'
      return (value) =>
        typeof value === 'number' &&
        value >= Math.max(min, -most) &&
        value <= Math.min(max, most) &&
        (!isWhole || Number.isInteger(value)) &&
        isChoice(value)
    }
    case 'string': {
      const longest = Math.min(maxLength, limits.maxTextLength)
      if (format !== undefined) return never
      return (value) => typeof value === 'string' && value.length <= longest && isChoice(value)
    }
    case 'boolean':
      return (value) => typeof value === 'boolean' && isChoice(value)
    case 'array': {
      const longest = Math.min(maxItems, limits.maxListLength)
      const checkAll = items && compileItemsCheck(items, limits)
      if (checkAll === undefined || choices !== undefined) return never
      return (value) => Array.isArray(value) && value.length <= longest && checkAll(value)
    }
    case 'object':
      return fields === undefined || choices !== undefined
        ? never
        : compileFieldsCheck(fields, limits)
    default:
      return never
  }
}

function compileFieldsCheck(
  fields: Readonly<Record<string, ValueDeclaration>>,
  limits: ComputeLimits,
): QuickCheck {
  const checks = Object.entries(fields).map(([name, field]) => ({
    name: keyOf(name),
    check: compileCheck(field, limits),
  }))
  return (value) => {
    if (typeof value !== 'object' || value === null) return false
    if (Object.getPrototypeOf(value) !== plain) return false
    for (const { name, check } of checks) {
      if (!Object.hasOwn(value, name)) return false
      if (!check((value as Readonly<Record<string, unknown>>)[name])) return false
    }
    return true
  }
}

/** Items are looked at one by one; fields that are numbers, three at a time in all of them. */
function compileItemsCheck(
  items: ValueDeclaration,
  limits: ComputeLimits,
): (list: readonly unknown[]) => boolean {
  const { type, fields = {}, enum: choices } = items
  const names = Object.entries(fields)
  const numeric = names.filter(
    ([, field]) =>
      (field.type === 'number' || field.type === 'integer') && field.enum === undefined,
  )
  const others = names.filter((entry) => !numeric.includes(entry))
  const isTable = type === 'object' && choices === undefined && numeric.length > 0
  const check = isTable
    ? compileFieldsCheck(Object.fromEntries(others), limits)
    : compileCheck(items, limits)
  const groups = Array.from({ length: isTable ? Math.ceil(numeric.length / 3) : 0 }, (_, group) => {
    const found = numeric.slice(group * 3, group * 3 + 3)
    const keys = [0, 1, 2].map((place) => keyOf((found[place] ?? found[0])?.[0] ?? ''))
    return {
      keys,
      loader: chooseLoader(keys),
      checks: found.map(([, field]) => compileCheck(field, limits)),
    }
  })
  const inherits = (): boolean =>
    groups.some(({ keys }) => keys.some((key) => Reflect.get(plain, key) !== undefined))
  return (list) => {
    if (inherits()) return false
    if (!isTable || others.length > 0) {
      for (let index = 0; index < list.length; index++) if (!check(list[index])) return false
    }
    for (const { keys, loader, checks } of groups) {
      for (let from = 0; from < list.length; from += columnSize) {
        const count = Math.min(columnSize, list.length - from)
        if (!loadRows(loader, { items: list, from, count, keys }, raw)) return false
        for (const [place, checkNumber] of checks.entries()) {
          const column = raw[place]!
          for (let index = 0; index < count; index++) if (!checkNumber(column[index])) return false
        }
      }
    }
    return true
  }
}
