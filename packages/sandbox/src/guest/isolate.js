// What a V8 isolate lacks for the other scripts of this folder, and what it has too much. A script for the guest: its value is
// `(files) => (native) => enter`. It runs first in
// each isolate.
//
// `native` takes and gives strings and numbers only. What ends a guest ends it within the call of `native`.
'use strict'
;({ prelude, pristine: shared, shims, authorContext }) => {
  const { apply, defineProperty, ownKeys } = Reflect
  // oxlint-disable-next-line eslint/no-eval -- the scripts of this folder, before any other code is there
  const evaluate = eval
  const BaseError = Error
  const TypeErrorConstructor = TypeError
  const bind = Function.prototype.bind
  const uncurry = apply(bind, bind, [Function.prototype.call])
  const slice = uncurry(String.prototype.slice)
  const charCodeAt = uncurry(String.prototype.charCodeAt)
  const fromCharCode = String.fromCharCode
  const then = uncurry(Promise.prototype.then)
  const resolve = apply(bind, Promise.resolve, [Promise])
  const Bytes = Uint8Array
  const toBase64 = uncurry(Uint8Array.prototype.toBase64)
  const fromBase64 = apply(bind, Uint8Array.fromBase64, [Uint8Array])

  // The same numbers as in native-call.ts.
  const service = 0
  const fail = 5

  const define = (name, value) =>
    defineProperty(globalThis, name, {
      __proto__: null,
      value,
      writable: true,
      enumerable: false,
      configurable: true,
    })

  let ask
  let control
  const native = (kind, first, second, third) => {
    if (kind === fail) return ask(fail, control.describe(first))
    const answer = ask(kind, first, second, third)
    if (kind !== service || answer === undefined) return answer
    // A sign before the text says whether it is an answer or what was wrong.
    const text = slice(answer, 1)
    if (answer[0] === '+') return text
    throw new BaseError(text)
  }

  const codes = {
    __proto__: null,
    IndexSizeError: 1,
    HierarchyRequestError: 3,
    WrongDocumentError: 4,
    InvalidCharacterError: 5,
    NoModificationAllowedError: 7,
    NotFoundError: 8,
    NotSupportedError: 9,
    InUseAttributeError: 10,
    InvalidStateError: 11,
    SyntaxError: 12,
    InvalidModificationError: 13,
    NamespaceError: 14,
    InvalidAccessError: 15,
    TypeMismatchError: 17,
    SecurityError: 18,
    NetworkError: 19,
    AbortError: 20,
    URLMismatchError: 21,
    QuotaExceededError: 22,
    TimeoutError: 23,
    InvalidNodeTypeError: 24,
    DataCloneError: 25,
  }
  class DOMException extends BaseError {
    #name
    #message
    constructor(message = '', options = 'Error') {
      const isName = typeof options !== 'object' || options === null
      super(undefined, isName ? undefined : options)
      this.#message = `${message}`
      this.#name = `${isName ? options : (options.name ?? 'Error')}`
    }
    get name() {
      return this.#name
    }
    get message() {
      return this.#message
    }
    get code() {
      return codes[this.#name] ?? 0
    }
  }
  defineProperty(DOMException.prototype, Symbol.toStringTag, {
    __proto__: null,
    value: 'DOMException',
    configurable: true,
  })
  define('DOMException', DOMException)

  const invalidCharacter = (name) =>
    new DOMException(`${name}: the text has a character that cannot be`, 'InvalidCharacterError')
  define('btoa', function btoa(value) {
    const text = `${value}`
    const bytes = new Bytes(text.length)
    for (let index = 0; index < text.length; index += 1) {
      const code = charCodeAt(text, index)
      if (code > 255) throw invalidCharacter('btoa')
      bytes[index] = code
    }
    return toBase64(bytes)
  })
  define('atob', function atob(value) {
    let bytes
    try {
      bytes = fromBase64(`${value}`)
    } catch {
      throw invalidCharacter('atob')
    }
    let text = ''
    for (let index = 0; index < bytes.length; index += 1) text += fromCharCode(bytes[index])
    return text
  })
  define('queueMicrotask', function queueMicrotask(callback) {
    if (typeof callback !== 'function') {
      throw new TypeErrorConstructor('queueMicrotask takes a function')
    }
    then(resolve(), () => {
      try {
        callback()
      } catch (error) {
        native(fail, error)
      }
    })
  })

  // The error of the other engine: its prelude asks for it, guests do not find it.
  define('InternalError', class InternalError extends BaseError {})

  const run = ({ name, text }) => evaluate(`${text}\n//# sourceURL=${name}`)
  control = run(prelude)(native)
  const { host, begin, settle, tick, seed } = control
  const pristine = run(shared)()
  for (let index = 0; index < shims.length; index += 1) run(shims[index])(host, pristine)
  const makeContext = run(authorContext)(host)

  // The globals that guests find elsewhere. Whatever else V8 has, now or in a later version, is taken away, also a `fetch`
  // whose type cannot be hidden here.
  const kept = { __proto__: null }
  const names = (
    'Object Function Error EvalError RangeError ReferenceError SyntaxError TypeError URIError AggregateError ' +
    'SuppressedError Iterator Array parseInt parseFloat isNaN isFinite queueMicrotask decodeURI decodeURIComponent ' +
    'encodeURI encodeURIComponent escape unescape Infinity NaN undefined eval Number Boolean String Math Reflect Symbol ' +
    'DisposableStack AsyncDisposableStack globalThis BigInt Date RegExp JSON Proxy Map Set WeakMap WeakSet ArrayBuffer ' +
    'Uint8ClampedArray Int8Array Uint8Array Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array ' +
    'Float16Array Float32Array Float64Array DataView Promise WeakRef FinalizationRegistry DOMException btoa atob ' +
    'performance TextEncoder TextDecoder crypto setTimeout setInterval clearTimeout clearInterval console AbortSignal ' +
    'AbortController URLSearchParams URL structuredClone'
  ).split(' ')
  for (let index = 0; index < names.length; index += 1) kept[names[index]] = true
  const found = ownKeys(globalThis)
  for (let index = 0; index < found.length; index += 1) {
    const name = found[index]
    if (kept[name] !== true && !delete globalThis[name]) {
      throw new BaseError(`${String(name)} cannot be taken away`)
    }
  }

  const actions = {
    __proto__: null,
    seed,
    settle,
    tick,
    begin: (execute, input, call, calls, concurrent, a, b, c) =>
      begin(execute, makeContext, input, call, calls, concurrent, a, b, c),
  }
  // Called by the host: whatever a function of a guest throws at it is how the guest failed.
  const enter = (name, a, b, c, d, e, f, g, h) => {
    try {
      return actions[name](a, b, c, d, e, f, g, h)
    } catch (error) {
      native(fail, error)
      return 0
    }
  }

  return (hostFunction) => {
    ask = hostFunction
    return enter
  }
}
