/** A value that JSON would write as `{}`, or as something else that is not what it holds. */
export interface OpaqueValue {
  readonly name: string
  readonly problem: string
}

/** Why JSON cannot hold an object, or `undefined` when it can, or when the object says by `toJSON` what to write. */
export function describeOpaque(value: object): OpaqueValue | undefined {
  if (value instanceof Date)
    return Number.isNaN(value.getTime())
      ? { name: 'invalid Date', problem: 'is an invalid Date' }
      : undefined
  if (value instanceof Promise || value instanceof RegExp || value instanceof ArrayBuffer)
    return opaque(value)
  if (Array.isArray(value) || hasToJson(value)) return undefined
  return describeStream(value) ?? (holdsUnseen(value) ? opaque(value) : undefined)
}

/** What is read bit by bit, where a tool gives a whole. */
function describeStream(value: object): OpaqueValue | undefined {
  const isIterable = isFunction(readSymbol(value, Symbol.iterator))
  const isStream = isFunction(readSymbol(value, Symbol.asyncIterator)) || isReadInParts(value)
  // Boxed texts are the one kind of iterable that JSON writes whole.
  return isStream || (isIterable && !isBoxed(value)) ? opaque(value) : undefined
}

/** Streams of Node and of the web, responses, blobs. */
function isReadInParts(value: object): boolean {
  if (isPlainObject(value)) return false
  const { arrayBuffer, pipe, pipeTo } = value as Readonly<Record<string, unknown>>
  return isFunction(pipe) || isFunction(pipeTo) || isFunction(arrayBuffer)
}

const adviceByName: Readonly<Record<string, string>> = {
  Map: 'return it as an object or a list',
  Set: 'return it as an object or a list',
  Promise: 'await it before returning it',
  ReadableStream: 'read it and return its content',
  Response: 'read its body and return that, such as `await response.json()`',
  Request: 'read its body and return that',
  Blob: 'return its bytes as base64 text',
  File: 'return its bytes as base64 text',
  ArrayBuffer: 'return its bytes as base64 text',
  RegExp: 'return its source as a text',
  Generator: 'return a list of what it gives',
}

function opaque(value: object): OpaqueValue {
  const name = nameOf(value)
  const advice = ArrayBuffer.isView(value)
    ? 'return its bytes as base64 text'
    : (adviceByName[name] ?? adviceFor(value))
  return { name, problem: `is a ${name}, which JSON cannot hold; ${advice}` }
}

function adviceFor(value: object): string {
  const { next, pipe } = value as { readonly next?: unknown; readonly pipe?: unknown }
  if (isFunction(pipe)) return 'read it and return its content'
  if (isFunction(next) || isFunction(readSymbol(value, Symbol.asyncIterator)))
    return 'return a list of what it gives'
  return 'return its content as a text or an object'
}

/** What people call it: the name of its class, else what it calls itself. */
function nameOf(value: object): string {
  const { constructor } = value as { readonly constructor?: unknown }
  const tag = tagOf(value)
  const name = isFunction(constructor) ? constructor.name : ''
  if (name !== '' && name !== 'Object') return name
  return tag === 'Object' ? 'iterator' : tag
}

/** An instance of a class without anything that JSON would write: what it holds is in places that cannot be seen. */
function holdsUnseen(value: object): boolean {
  if (isPlainObject(value) || isBoxed(value) || tagOf(value) === 'Error') return false
  return Object.keys(value).length === 0
}

const boxed: ReadonlySet<string> = new Set(['Number', 'String', 'Boolean'])

function isBoxed(value: object): boolean {
  return boxed.has(tagOf(value))
}

/** An object literal, also of another realm. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}

function hasToJson(value: object): boolean {
  return isFunction((value as { toJSON?: unknown }).toJSON)
}

function readSymbol(value: object, symbol: symbol): unknown {
  return (value as Readonly<Record<symbol, unknown>>)[symbol]
}

function isFunction(value: unknown): value is (...parameters: never) => unknown {
  return typeof value === 'function'
}
