// What the other scripts of the guest share: built-in functions as they were before any guest code, and small helpers on them.
// A script for the guest: its value is `() => pristine`. Guest code never gets hold of it.
//
// Guest code may replace every built-in, so all that is used at call time is taken before: here, or by the script itself.
'use strict'
;() => {
  const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect
  const { freeze, setPrototypeOf } = Object
  const TypeErrorConstructor = TypeError
  const Bytes = Uint8Array
  const { isView } = ArrayBuffer
  const { bind } = Function.prototype

  // A function that takes `this` as its first argument and looks nothing up when it is called.
  const uncurry = apply(bind, bind, [Function.prototype.call])
  const getterOf = (prototype, name) => uncurry(getOwnPropertyDescriptor(prototype, name).get)

  const typedArray = getPrototypeOf(Uint8Array.prototype)
  const typedArrayTag = getterOf(typedArray, Symbol.toStringTag)
  const typedArrayBuffer = getterOf(typedArray, 'buffer')
  const typedArrayOffset = getterOf(typedArray, 'byteOffset')
  const typedArrayBytes = getterOf(typedArray, 'byteLength')
  const viewBuffer = getterOf(DataView.prototype, 'buffer')
  const viewOffset = getterOf(DataView.prototype, 'byteOffset')
  const viewBytes = getterOf(DataView.prototype, 'byteLength')
  const bufferBytes = getterOf(ArrayBuffer.prototype, 'byteLength')

  return freeze({
    __proto__: null,
    uncurry,
    getterOf,
    typedArrayTag,
    typedArrayBuffer,
    typedArrayOffset,
    typedArrayBytes,
    viewBuffer,
    viewOffset,
    viewBytes,
    bufferBytes,
    setBytes: uncurry(typedArray.set),
    toBase64: uncurry(Uint8Array.prototype.toBase64),
    fromBase64: apply(bind, Uint8Array.fromBase64, [Uint8Array]),
    define: (name, value) =>
      defineProperty(globalThis, name, {
        __proto__: null,
        value,
        writable: true,
        enumerable: false,
        configurable: true,
      }),
    tag: (target, name) =>
      defineProperty(target, Symbol.toStringTag, {
        __proto__: null,
        value: name,
        configurable: true,
      }),
    // A list that takes nothing from `Array.prototype`.
    list: (items) => setPrototypeOf(items, null),
    // The bytes of a buffer or of a view, not copied.
    bytesOf: (source, name) => {
      if (isView(source)) {
        return typedArrayTag(source) === undefined
          ? new Bytes(viewBuffer(source), viewOffset(source), viewBytes(source))
          : new Bytes(typedArrayBuffer(source), typedArrayOffset(source), typedArrayBytes(source))
      }
      try {
        return new Bytes(source, 0, bufferBytes(source))
      } catch {
        throw new TypeErrorConstructor(
          `${name} must be an ArrayBuffer, a typed array or a DataView`,
        )
      }
    },
  })
}
