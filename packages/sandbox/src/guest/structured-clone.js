// structuredClone. A script for the guest: its value is `(host, pristine) => void`; see shims.js for its rules.
'use strict'
;(host, pristine) => {
  const {
    bufferBytes,
    getterOf,
    list,
    setBytes,
    typedArrayBuffer,
    typedArrayOffset,
    typedArrayTag,
    uncurry,
    viewBuffer,
    viewBytes,
    viewOffset,
  } = pristine
  const { construct, defineProperty, get, getOwnPropertyDescriptor } = Reflect
  const { getPrototypeOf, ownKeys } = Reflect
  const { setPrototypeOf } = Object
  const { isArray } = Array
  const { isError } = Error
  const Exception = DOMException
  const Bytes = Uint8Array
  const Buffer = ArrayBuffer
  const isView = ArrayBuffer.isView
  const MapConstructor = Map
  const SetConstructor = Set
  const DateConstructor = Date
  const RegExpConstructor = RegExp
  const ObjectConstructor = Object
  const ErrorConstructor = Error
  const TypeErrorConstructor = TypeError
  const objectPrototype = Object.prototype
  const tagKey = Symbol.toStringTag

  const toTag = uncurry(Object.prototype.toString)
  const mapGet = uncurry(Map.prototype.get)
  const mapSet = uncurry(Map.prototype.set)
  const mapSize = getterOf(Map.prototype, 'size')
  const mapForEach = uncurry(Map.prototype.forEach)
  const setAdd = uncurry(Set.prototype.add)
  const setSize = getterOf(Set.prototype, 'size')
  const setForEach = uncurry(Set.prototype.forEach)
  const timeOf = uncurry(Date.prototype.getTime)
  const sourceOf = getterOf(RegExp.prototype, 'source')
  const flags = {
    __proto__: null,
    d: getterOf(RegExp.prototype, 'hasIndices'),
    g: getterOf(RegExp.prototype, 'global'),
    i: getterOf(RegExp.prototype, 'ignoreCase'),
    m: getterOf(RegExp.prototype, 'multiline'),
    s: getterOf(RegExp.prototype, 'dotAll'),
    u: getterOf(RegExp.prototype, 'unicode'),
    v: getterOf(RegExp.prototype, 'unicodeSets'),
    y: getterOf(RegExp.prototype, 'sticky'),
  }
  const exceptionName = getterOf(DOMException.prototype, 'name')
  const exceptionMessage = getterOf(DOMException.prototype, 'message')
  const typedArray = getPrototypeOf(Uint8Array.prototype)
  const typedArrayLength = getterOf(typedArray, 'length')
  const bufferMaxBytes = getterOf(ArrayBuffer.prototype, 'maxByteLength')
  const isResizable = getterOf(ArrayBuffer.prototype, 'resizable')
  const isDetached = getterOf(ArrayBuffer.prototype, 'detached')
  const transferBuffer = uncurry(ArrayBuffer.prototype.transfer)
  const View = DataView
  const boxes = {
    __proto__: null,
    Boolean: uncurry(Boolean.prototype.valueOf),
    Number: uncurry(Number.prototype.valueOf),
    String: uncurry(String.prototype.valueOf),
    BigInt: uncurry(BigInt.prototype.valueOf),
  }
  const views = {
    __proto__: null,
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float16Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
  }
  const errors = {
    __proto__: null,
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
  }
  // Objects with a state that cannot be copied, known by the tag that their prototype gives them.
  const uncloneable = {
    __proto__: null,
    '[object Promise]': true,
    '[object WeakMap]': true,
    '[object WeakSet]': true,
    '[object WeakRef]': true,
    '[object FinalizationRegistry]': true,
    '[object Generator]': true,
    '[object AsyncGenerator]': true,
    '[object Symbol]': true,
    '[object SharedArrayBuffer]': true,
    '[object AbortSignal]': true,
    '[object AbortController]': true,
    '[object URL]': true,
    '[object URLSearchParams]': true,
  }

  const put = (target, key, value) =>
    defineProperty(target, key, {
      __proto__: null,
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    })
  const refuse = (what) => {
    throw new Exception(`${what} could not be cloned.`, 'DataCloneError')
  }

  // Whether a value has what `getter` reads: the only sure sign of a kind of object.
  const has = (getter, value) => {
    try {
      getter(value)
      return true
    } catch {
      return false
    }
  }

  const cloneBuffer = (buffer) => {
    if (isDetached(buffer)) refuse('A detached ArrayBuffer')
    const size = bufferBytes(buffer)
    const copy = isResizable(buffer)
      ? new Buffer(size, { __proto__: null, maxByteLength: bufferMaxBytes(buffer) })
      : new Buffer(size)
    setBytes(new Bytes(copy), new Bytes(buffer))
    return copy
  }

  const cloneView = (value, copyOf) => {
    const name = typedArrayTag(value)
    if (name === undefined) {
      return new View(copyOf(viewBuffer(value)), viewOffset(value), viewBytes(value))
    }
    const args = [copyOf(typedArrayBuffer(value)), typedArrayOffset(value), typedArrayLength(value)]
    return construct(views[name], args)
  }

  // The last index of a regular expression is its own; of the prototype it is not.
  const isRegExp = (value) =>
    getOwnPropertyDescriptor(value, 'lastIndex') !== undefined && has(sourceOf, value)

  const cloneRegExp = (value) => {
    let text = ''
    for (const flag in flags) if (flags[flag](value)) text += flag
    return new RegExpConstructor(sourceOf(value), text)
  }

  const cloneError = (value, remember, copyOf) => {
    const name = get(value, 'name')
    const ErrorOfName = (typeof name === 'string' && errors[name]) || ErrorConstructor
    const own = (key) => {
      const descriptor = getOwnPropertyDescriptor(value, key)
      if (descriptor === undefined) return undefined
      setPrototypeOf(descriptor, null)
      return descriptor
    }
    const copy = remember(new ErrorOfName())
    const hide = (key, content) =>
      defineProperty(copy, key, {
        __proto__: null,
        value: content,
        writable: true,
        enumerable: false,
        configurable: true,
      })
    const message = own('message')
    if (message !== undefined && 'value' in message) hide('message', `${message.value}`)
    const stack = get(value, 'stack')
    if (typeof stack === 'string') hide('stack', stack)
    const cause = own('cause')
    if (cause !== undefined && 'value' in cause) hide('cause', copyOf(cause.value))
    return copy
  }

  const cloneFields = (value, copy, copyOf) => {
    const keys = list(ownKeys(value))
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index]
      if (typeof key === 'symbol') continue
      const descriptor = getOwnPropertyDescriptor(value, key)
      if (descriptor === undefined) continue
      setPrototypeOf(descriptor, null)
      if (descriptor.enumerable) put(copy, key, copyOf(get(value, key)))
    }
    return copy
  }

  const cloneMap = (value, copy, copyOf) => {
    const entries = list([])
    mapForEach(value, (content, key) => {
      entries[entries.length] = list([key, content])
    })
    for (let index = 0; index < entries.length; index += 1) {
      mapSet(copy, copyOf(entries[index][0]), copyOf(entries[index][1]))
    }
    return copy
  }

  const cloneSet = (value, copy, copyOf) => {
    const items = list([])
    setForEach(value, (item) => {
      items[items.length] = item
    })
    for (let index = 0; index < items.length; index += 1) setAdd(copy, copyOf(items[index]))
    return copy
  }

  const isPlain = (value) => {
    const prototype = getPrototypeOf(value)
    return (prototype === null || prototype === objectPrototype) && !(tagKey in value)
  }

  // What has its own copy by now comes first, so that cycles end.
  const cloneObject = (value, remember, copyOf) => {
    if (isArray(value)) {
      const copy = []
      copy.length = value.length
      return cloneFields(value, remember(copy), copyOf)
    }
    if (isView(value)) return remember(cloneView(value, copyOf))
    const sign = toTag(value)
    // A map or a set whose prototype was taken away is taken for a plain object: asking each time would cost too much.
    if (isPlain(value) && sign === '[object Object]') {
      return cloneFields(value, remember({}), copyOf)
    }
    if (has(exceptionName, value)) {
      return remember(new Exception(exceptionMessage(value), exceptionName(value)))
    }
    if (isError(value)) return cloneError(value, remember, copyOf)
    if (has(mapSize, value)) return cloneMap(value, remember(new MapConstructor()), copyOf)
    if (has(setSize, value)) return cloneSet(value, remember(new SetConstructor()), copyOf)
    if (has(bufferBytes, value)) return remember(cloneBuffer(value))
    if (has(timeOf, value)) return remember(new DateConstructor(timeOf(value)))
    if (isRegExp(value)) return remember(cloneRegExp(value))
    for (const name in boxes) {
      if (has(boxes[name], value)) return remember(ObjectConstructor(boxes[name](value)))
    }
    if (uncloneable[sign] === true) refuse(sign)
    return cloneFields(value, remember({}), copyOf)
  }

  const copyAll = (value, known) => {
    const remember = (from) => (copy) => {
      mapSet(known, from, copy)
      return copy
    }
    const copyOf = (from) => {
      if (typeof from === 'symbol') refuse('A symbol')
      if (typeof from === 'function') refuse('A function')
      if (typeof from !== 'object' || from === null) return from
      return mapGet(known, from) ?? cloneObject(from, remember(from), copyOf)
    }
    return copyOf(value)
  }

  const readTransfer = (transfer) => {
    const buffers = list([])
    for (const buffer of transfer) {
      if (typeof buffer !== 'object' || buffer === null || !has(bufferBytes, buffer)) {
        refuse('A value that is no ArrayBuffer')
      }
      for (let index = 0; index < buffers.length; index += 1) {
        if (buffers[index] === buffer) refuse('An ArrayBuffer that is transferred twice')
      }
      if (isDetached(buffer)) refuse('A detached ArrayBuffer')
      buffers[buffers.length] = buffer
    }
    return buffers
  }

  function structuredClone(value, options) {
    if (arguments.length === 0) throw new TypeErrorConstructor('structuredClone needs a value')
    const transfer = options?.transfer
    const buffers = transfer === undefined ? list([]) : readTransfer(transfer)
    const copy = copyAll(value, new MapConstructor())
    // Copied as well, so that nothing is taken away when the copy fails.
    for (let index = 0; index < buffers.length; index += 1) transferBuffer(buffers[index])
    return copy
  }

  defineProperty(globalThis, 'structuredClone', {
    __proto__: null,
    value: structuredClone,
    writable: true,
    enumerable: false,
    configurable: true,
  })
}
