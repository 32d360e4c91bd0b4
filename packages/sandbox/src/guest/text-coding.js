// TextEncoder and TextDecoder, for UTF-8. A script for the guest: its value is `(host, pristine) => void`; see shims.js for its rules.
'use strict'
;(host, pristine) => {
  const {
    bytesOf,
    define,
    fromBase64,
    list,
    setBytes,
    tag,
    toBase64,
    typedArrayBuffer,
    typedArrayBytes,
    typedArrayOffset,
    typedArrayTag,
    uncurry,
  } = pristine
  const TypeErrorConstructor = TypeError
  const RangeErrorConstructor = RangeError
  const Bytes = Uint8Array
  const isView = ArrayBuffer.isView

  const slice = uncurry(String.prototype.slice)
  const toLowerCase = uncurry(String.prototype.toLowerCase)
  const toWellFormed = uncurry(String.prototype.toWellFormed)
  const trim = uncurry(String.prototype.trim)
  const charCodeAt = uncurry(String.prototype.charCodeAt)

  const copyOf = (bytes, begin, length) => {
    const copy = new Bytes(length)
    setBytes(copy, new Bytes(typedArrayBuffer(bytes), typedArrayOffset(bytes) + begin, length))
    return copy
  }

  // Texts and bytes go to the host in parts of at most this many characters or bytes.
  const partLength = 1_048_576

  const encodePart = (text) => fromBase64(host.now('utf8.encode', text))

  const encode = (source) => {
    const text = toWellFormed(source)
    if (text.length <= partLength) return encodePart(text)
    const parts = list([])
    let total = 0
    for (let begin = 0; begin < text.length;) {
      let end = begin + partLength
      const last = end < text.length ? charCodeAt(text, end - 1) : 0
      if (last >= 0xd8_00 && last <= 0xdb_ff) end -= 1
      const part = encodePart(slice(text, begin, end))
      parts[parts.length] = part
      total += typedArrayBytes(part)
      begin = end
    }
    const bytes = new Bytes(total)
    let offset = 0
    for (let index = 0; index < parts.length; index += 1) {
      setBytes(bytes, parts[index], offset)
      offset += typedArrayBytes(parts[index])
    }
    return bytes
  }

  // How many code units fit, and how many bytes they take.
  const encodeInto = (text, target) => {
    const room = typedArrayBytes(target)
    let read = 0
    let written = 0
    while (read < text.length) {
      const unit = charCodeAt(text, read)
      const isPair = unit >= 0xd8_00 && unit <= 0xdb_ff
      const size = isPair ? 4 : unit < 0x80 ? 1 : unit < 0x8_00 ? 2 : 3
      if (written + size > room) break
      written += size
      read += isPair ? 2 : 1
    }
    setBytes(bytesOf(target), encode(slice(text, 0, read)))
    return { read, written }
  }

  class TextEncoder {
    get encoding() {
      return 'utf-8'
    }
    encode(text = '') {
      return encode(`${text}`)
    }
    encodeInto(text, target) {
      if (!isView(target) || typedArrayTag(target) !== 'Uint8Array') {
        throw new TypeErrorConstructor('The target of encodeInto must be a Uint8Array')
      }
      return encodeInto(toWellFormed(`${text}`), target)
    }
  }
  tag(TextEncoder.prototype, 'TextEncoder')
  define('TextEncoder', TextEncoder)

  const utf8Names = {
    __proto__: null,
    'utf-8': true,
    utf8: true,
    'unicode-1-1-utf-8': true,
    unicode11utf8: true,
    unicode20utf8: true,
    'x-unicode20utf8': true,
  }

  // How many of the last bytes begin a character that is not complete.
  const countOpenBytes = (bytes, end, begin) => {
    for (let back = 1; back <= 3 && end - back >= begin; back += 1) {
      const byte = bytes[end - back]
      if (byte < 0x80) return 0
      if (byte >= 0xc0) {
        const size = byte >= 0xf5 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1
        return size > back && isValidStart(bytes, end - back, back) ? back : 0
      }
    }
    return 0
  }

  const isValidStart = (bytes, at, count) => {
    if (count === 1) return true
    const first = bytes[at]
    const second = bytes[at + 1]
    if (first === 0xe0) return second >= 0xa0
    if (first === 0xed) return second < 0xa0
    if (first === 0xf0) return second >= 0x90
    return first === 0xf4 ? second < 0x90 : true
  }

  const decodePart = (bytes, begin, end, isFatal) => {
    const part = new Bytes(typedArrayBuffer(bytes), typedArrayOffset(bytes) + begin, end - begin)
    const answer = host.now('utf8.decode', `${isFatal ? 'f' : 'r'}${toBase64(part)}`)
    if (answer[0] !== '+') throw new TypeErrorConstructor('The encoded data was not valid utf-8')
    return slice(answer, 1)
  }

  class TextDecoder {
    #isFatal
    #isBomKept
    #open = new Bytes(0)
    #isBegun = false
    constructor(label = 'utf-8', options = {}) {
      if (utf8Names[toLowerCase(trim(`${label}`))] !== true) {
        throw new RangeErrorConstructor(`The encoding '${label}' is not supported: use utf-8`)
      }
      this.#isFatal = Boolean(options?.fatal)
      this.#isBomKept = Boolean(options?.ignoreBOM)
    }
    get encoding() {
      return 'utf-8'
    }
    get fatal() {
      return this.#isFatal
    }
    get ignoreBOM() {
      return this.#isBomKept
    }
    decode(source, options = {}) {
      const isStream = Boolean(options?.stream)
      const fresh = source === undefined ? new Bytes(0) : bytesOf(source, 'The data of decode')
      const held = typedArrayBytes(this.#open)
      const bytes = new Bytes(held + typedArrayBytes(fresh))
      setBytes(bytes, this.#open)
      setBytes(bytes, fresh, held)
      const size = typedArrayBytes(bytes)
      const end = isStream ? size - countOpenBytes(bytes, size, 0) : size
      const isBegun = this.#isBegun
      this.#open = isStream ? copyOf(bytes, end, size - end) : new Bytes(0)
      this.#isBegun = isStream && (isBegun || end > 0)
      let text = ''
      try {
        for (let begin = 0; begin < end;) {
          let next = begin + partLength
          next = next >= end ? end : next - countOpenBytes(bytes, next, begin)
          text += decodePart(bytes, begin, next, this.#isFatal)
          begin = next
        }
      } catch (error) {
        this.#open = new Bytes(0)
        this.#isBegun = false
        throw error
      }
      const isBom = !this.#isBomKept && !isBegun && text !== '' && charCodeAt(text, 0) === 0xfe_ff
      return isBom ? slice(text, 1) : text
    }
  }
  tag(TextDecoder.prototype, 'TextDecoder')
  define('TextDecoder', TextDecoder)
}
