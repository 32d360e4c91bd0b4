import type { InputDeclaration, ValueDeclaration } from '../language/compute-logic.ts'
import { quoteText } from '../text/quote-text.ts'
import { describeType, isPlainObject } from '../values/json-value.ts'
import { declarationShapes } from './declaration-shapes.ts'
import type { FlatDeclaration } from './flat-compute.ts'
import type { FlatIssues, FlatOrigin } from './flat-issues.ts'
import { readJsonText } from './flat-json-text.ts'
import { extendFlatPath, type FlatPathPart, parseFlatPath } from './flat-path.ts'

/** What the fields of a flat declaration must be, beside `path` and `type`. JSON texts are strings. */
const fieldTypes: Readonly<Record<string, 'string' | 'number' | 'json'>> = {
  description: 'string',
  min: 'number',
  max: 'number',
  enum: 'json',
  format: 'string',
  maxLength: 'number',
  maxItems: 'number',
  default: 'json',
}

type Declared = Record<string, unknown>

interface Place {
  readonly declaration: Declared
  readonly path: string
}

/** Puts flat declarations back into each other. */
export class FlatDeclarationReader {
  readonly inputs: Declared = {}
  output: unknown = undefined
  readonly #issues: FlatIssues
  readonly #places = new Map<string, Place>()

  constructor(issues: FlatIssues) {
    this.#issues = issues
  }

  /** Reads one declaration; those it is inside of come before it. */
  read(given: unknown, path: string): void {
    if (!isPlainObject(given) || typeof given['path'] !== 'string') {
      const message = `must be an object with a path, got ${describeType(given)}`
      this.#issues.refuse({ path, label: '' }, message, 'Give { "path": "inputs.amount", … }.')
      return
    }
    const origin = { path, label: quoteText(given['path']) }
    const parsed = parseFlatPath(given['path'])
    const [first] = parsed?.parts ?? []
    const isInput = parsed?.root === 'inputs' && typeof first === 'object'
    if (parsed === undefined || (!isInput && parsed.root !== 'output')) {
      const hint = 'Write inputs.NAME or output, then .field for a field and [] for items.'
      this.#issues.refuse(origin, 'this is no path of a declaration', hint)
      return
    }
    const declaration = this.#fieldsOf(given, origin)
    const place = this.#put(parsed.root, { parts: parsed.parts, declaration, origin })
    if (place === undefined) return
    const key = parsed.parts.reduce<string>(extendFlatPath, parsed.root)
    if (this.#places.has(key)) {
      this.#issues.refuse(origin, 'this is declared twice', 'Leave one of the two out.')
      return
    }
    this.#places.set(key, { declaration, path: place })
    this.#issues.trace(place, origin)
  }

  #fieldsOf(given: Readonly<Record<string, unknown>>, origin: FlatOrigin): Declared {
    const declaration: Declared = { type: given['type'] }
    for (const [name, value] of Object.entries(given)) {
      if (name === 'path' || name === 'type') continue
      const type = Object.hasOwn(fieldTypes, name) ? fieldTypes[name] : undefined
      if (type === undefined) {
        const known = `path, type, ${Object.keys(fieldTypes).join(', ')}`
        this.#issues.refuse(origin, `there is no field ${quoteText(name)}`, `Known: ${known}.`)
      } else if (value === null || value === '') continue
      else if (type === 'json') {
        const place = { path: `${origin.path}.${name}`, label: origin.label }
        declaration[name] = readJsonText(value, place, this.#issues)
      } else declaration[name] = value
    }
    return declaration
  }

  /** Hangs a declaration where its path says; gives that place in the program. */
  #put(
    root: string,
    {
      parts,
      declaration,
      origin,
    }: {
      readonly parts: readonly FlatPathPart[]
      readonly declaration: Declared
      readonly origin: FlatOrigin
    },
  ): string | undefined {
    const last = parts.at(-1)
    if (last === undefined) {
      this.output ??= declaration
      return root
    }
    if (root === 'inputs' && parts.length === 1 && last !== 'items') {
      if (!Object.hasOwn(this.inputs, last.field)) define(this.inputs, last.field, declaration)
      return `inputs.${last.field}`
    }
    const outer = parts.slice(0, -1).reduce<string>(extendFlatPath, root)
    const parent = this.#places.get(outer)
    const wanted = last === 'items' ? 'array' : 'object'
    if (parent === undefined || parent.declaration['type'] !== wanted) {
      const message = `there is no ${wanted} ${quoteText(outer)} declared before it`
      this.#issues.refuse(origin, message, `Declare ${quoteText(outer)} with type ${wanted} first.`)
      return undefined
    }
    if (last === 'items') {
      parent.declaration['items'] ??= declaration
      return `${parent.path}.items`
    }
    const fields = (parent.declaration['fields'] ??= {}) as Declared
    if (!Object.hasOwn(fields, last.field)) define(fields, last.field, declaration)
    return `${parent.path}.fields.${last.field}`
  }
}

/** A plain assignment would change the prototype where a field is called `__proto__`. */
function define(object: Declared, name: string, value: unknown): void {
  Object.defineProperty(object, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

/** A declaration and all that are inside of it, in the flat form. */
export function flattenDeclaration(
  path: string,
  declaration: InputDeclaration | ValueDeclaration,
): readonly FlatDeclaration[] {
  const { type, description = '', min = null, max = null } = declaration
  const { enum: choices, format = '', maxLength = null, maxItems = null } = declaration
  const hasDefault = 'default' in declaration && declaration.default !== undefined
  const own = {
    path,
    type,
    description,
    min,
    max,
    enum: choices === undefined ? '' : JSON.stringify(choices),
    format,
    maxLength,
    maxItems,
    default: hasDefault ? JSON.stringify(declaration.default) : '',
  }
  const { items, fields = {} } = declaration
  return [
    own,
    ...(items === undefined ? [] : flattenDeclaration(extendFlatPath(path, 'items'), items)),
    ...Object.entries(fields).flatMap(([field, inner]) =>
      flattenDeclaration(extendFlatPath(path, { field }), inner),
    ),
  ]
}

/** The types that a flat declaration can have. */
export const flatTypes: readonly string[] = Object.keys(declarationShapes)
