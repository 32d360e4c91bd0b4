// Globals that people expect and the engine lacks: texts and bytes, random numbers and digests, timers, the console.
// A script for the guest: its value is `(host, pristine) => void`.
//
// It runs once, before any guest code. Guest code may replace every built-in afterwards, so all that is used at call time is
// taken here first. What needs an implementation of the host to be exact is asked of `src/guest-services.ts`.
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
    typedArrayTag,
    uncurry,
  } = pristine
  const { apply, get, ownKeys } = Reflect
  const { stringify } = JSON
  const { isArray } = Array
  const { floor, max } = Math
  const dateNow = Date.now
  const PromiseConstructor = Promise
  const TypeErrorConstructor = TypeError
  const ErrorConstructor = Error
  const ReferenceErrorConstructor = ReferenceError
  const Exception = DOMException
  const isView = ArrayBuffer.isView

  const slice = uncurry(String.prototype.slice)
  const toUpperCase = uncurry(String.prototype.toUpperCase)
  const join = uncurry(Array.prototype.join)
  const mapGet = uncurry(Map.prototype.get)
  const mapSet = uncurry(Map.prototype.set)
  const mapDelete = uncurry(Map.prototype.delete)

  const integerArrays = {
    __proto__: null,
    Int8Array: true,
    Uint8Array: true,
    Uint8ClampedArray: true,
    Int16Array: true,
    Uint16Array: true,
    Int32Array: true,
    Uint32Array: true,
    BigInt64Array: true,
    BigUint64Array: true,
  }
  const mostRandomBytes = 65_536
  const mostDigestBytes = 16_777_216
  const digests = {
    __proto__: null,
    'SHA-1': true,
    'SHA-256': true,
    'SHA-384': true,
    'SHA-512': true,
  }

  const digest = (algorithm, data) => {
    const named = typeof algorithm === 'object' && algorithm !== null ? algorithm.name : algorithm
    const name = toUpperCase(`${named}`)
    if (digests[name] !== true) {
      throw new Exception(
        `The digest '${named}' is not supported: use SHA-1, SHA-256, SHA-384 or SHA-512`,
        'NotSupportedError',
      )
    }
    const bytes = bytesOf(data, 'The data of digest')
    if (typedArrayBytes(bytes) > mostDigestBytes) {
      throw new Exception(
        `A digest takes at most ${mostDigestBytes} bytes, not ${typedArrayBytes(bytes)}`,
        'OperationError',
      )
    }
    const hash = fromBase64(host.now('digest', `${name}:${toBase64(bytes)}`))
    return typedArrayBuffer(hash)
  }

  const subtle = {
    digest: (algorithm, data) =>
      new PromiseConstructor((resolve) => {
        resolve(digest(algorithm, data))
      }),
  }
  const crypto = {
    subtle,
    getRandomValues(view) {
      if (!isView(view) || integerArrays[typedArrayTag(view)] !== true) {
        throw new Exception('getRandomValues takes an array of integers', 'TypeMismatchError')
      }
      const size = typedArrayBytes(view)
      if (size > mostRandomBytes) {
        throw new Exception(
          `getRandomValues gives at most ${mostRandomBytes} bytes at once, not ${size}`,
          'QuotaExceededError',
        )
      }
      setBytes(bytesOf(view), fromBase64(host.now('random.bytes', `${size}`)))
      return view
    },
    randomUUID: () => host.now('random.uuid', ''),
  }
  tag(subtle, 'SubtleCrypto')
  tag(crypto, 'Crypto')
  define('crypto', crypto)

  // Whole milliseconds since it was first asked for, and never back.
  let origin
  let latest = 0
  const performance = {
    now() {
      // One reading for both: between two of them the first could already be late.
      const time = dateNow()
      origin ??= time
      latest = max(latest, time - origin)
      return latest
    },
    get timeOrigin() {
      origin ??= dateNow()
      return origin
    },
  }
  tag(performance, 'Performance')
  define('performance', performance)

  const longestDelay = 2_147_483_647
  const timers = new Map()
  let lastTimer = 0

  const toDelay = (value) => {
    const delay = floor(+value)
    return delay >= 0 && delay <= longestDelay ? delay : 0
  }

  const start = (run, delay) => {
    lastTimer += 1
    const id = lastTimer
    const arm = () =>
      mapSet(
        timers,
        id,
        host.timer(delay, () => run(id, arm)),
      )
    arm()
    return id
  }

  const stop = (id) => {
    const hostId = mapGet(timers, id)
    if (hostId === undefined) return
    mapDelete(timers, id)
    host.cancelTimer(hostId)
  }

  const requireHandler = (handler, name) => {
    if (typeof handler !== 'function') {
      throw new TypeErrorConstructor(`${name} takes a function, not a ${typeof handler}`)
    }
    return handler
  }

  define('setTimeout', function setTimeout(handler, delay = 0, ...values) {
    requireHandler(handler, 'setTimeout')
    return start((id) => {
      mapDelete(timers, id)
      apply(handler, undefined, values)
    }, toDelay(delay))
  })
  define('setInterval', function setInterval(handler, delay = 0, ...values) {
    requireHandler(handler, 'setInterval')
    return start((id, arm) => {
      arm()
      apply(handler, undefined, values)
    }, toDelay(delay))
  })
  define('clearTimeout', function clearTimeout(id) {
    stop(id)
  })
  define('clearInterval', function clearInterval(id) {
    stop(id)
  })

  // What the console shows of a value: as much as helps, and never more than this.
  const mostShown = 8_192
  const mostDepth = 4
  const mostItems = 50

  const showError = (error) => {
    const heading = `${error.name}: ${error.message}`
    const { stack } = error
    return typeof stack === 'string' && stack !== '' ? `${heading}\n${stack}` : heading
  }

  const showObject = (value, depth, seen) => {
    if (value instanceof ErrorConstructor) return showError(value)
    if (seen.includes(value)) return '[circular]'
    const shape = isArray(value)
    if (depth >= mostDepth) return shape ? '[…]' : '{…}'
    const inner = seen.with(value)
    const keys = list(shape ? [] : ownKeys(value))
    const count = shape ? value.length : keys.length
    const parts = list([])
    for (let index = 0; index < count && index < mostItems; index += 1) {
      const key = shape ? index : keys[index]
      if (typeof key === 'symbol') continue
      const shown = show(get(value, key), depth + 1, inner)
      parts[parts.length] = shape ? shown : `${key}: ${shown}`
    }
    if (count > mostItems) parts[parts.length] = `… ${count - mostItems} more`
    const text = join(parts, ', ')
    return shape ? `[${text}]` : `{ ${text} }`
  }

  const show = (value, depth, seen) => {
    if (typeof value === 'string') return depth === 0 ? value : stringify(value)
    if (typeof value === 'function') return '[function]'
    if (typeof value === 'bigint') return `${value}n`
    if (typeof value === 'symbol') return '[symbol]'
    if (typeof value !== 'object' || value === null) return `${value}`
    return showObject(value, depth, seen)
  }

  // Those that a value stands in, innermost first.
  const chain = (value, outer) => ({
    __proto__: null,
    includes: (other) => value === other || (outer !== undefined && outer.includes(other)),
    with: (next) => chain(next, chain(value, outer)),
  })

  const showAll = (values) => {
    let text = ''
    for (let index = 0; index < values.length && text.length < mostShown; index += 1) {
      let shown = ''
      try {
        shown = show(values[index], 0, chain(undefined))
      } catch {
        shown = '(a value that cannot be shown)'
      }
      text += index === 0 ? shown : ` ${shown}`
    }
    return slice(text, 0, mostShown)
  }

  const write =
    (level) =>
    (...values) =>
      host.log(level, showAll(values))
  const quiet = () => undefined

  const console = {
    debug: write('debug'),
    log: write('info'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    trace: write('debug'),
    dir: (value) => host.log('info', showAll([value])),
    table: (value) => host.log('info', showAll([value])),
    assert: (isTrue, ...values) => {
      if (!isTrue) host.log('error', `Assertion failed ${showAll(values)}`)
    },
    group: write('info'),
    groupCollapsed: write('info'),
    groupEnd: quiet,
  }
  tag(console, 'console')
  define('console', console)

  // The engine is told to say `undefined` for the type of this one: there is no fetch, and who calls it learns what there is.
  define('fetch', function fetch() {
    throw new ReferenceErrorConstructor('fetch is not defined: use ctx.http.request')
  })
}
