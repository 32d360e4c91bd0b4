// The inside half of the sandbox. A script for the guest: its value is `(native) => control`.
//
// `native` is the only function of the host. Guest code never gets it, and may have replaced every built-in by the time one
// of the functions below runs: so all that is used is taken here, nothing is looked up on a prototype that a guest can
// reach, and records have no prototype. The host trusts none of this: it checks every limit again on its side.
'use strict'
;(native) => {
  const { defineProperty, getPrototypeOf } = Reflect
  const { freeze } = Object
  const { parse, stringify } = JSON
  const PromiseConstructor = Promise
  const ErrorConstructor = Error
  const TypeErrorConstructor = TypeError
  const { isFinite } = Number
  const internalErrorPrototype = InternalError.prototype
  const rangeErrorPrototype = RangeError.prototype
  const syntaxErrorPrototype = SyntaxError.prototype
  const slice = Function.prototype.call.bind(String.prototype.slice)
  const toWellFormed = Function.prototype.call.bind(String.prototype.toWellFormed)
  const describePrimitive = String

  // What the first argument of `native` means. The same numbers as in native-call.ts.
  const service = 0
  const request = 1
  const writeLog = 2
  const wake = 3
  const done = 4
  const fail = 5
  const clock = 6
  const tooManyCalls = 7
  const makeRoom = 8
  const badInput = 9
  const sleepBegins = 10
  const sleepEnds = 11

  const define = (target, key, value) =>
    defineProperty(target, key, {
      __proto__: null,
      value,
      writable: true,
      enumerable: false,
      configurable: true,
    })

  // The engine would hand the functions on the stack to a formatter of the guest, and with them the inside of this script.
  defineProperty(Error, 'prepareStackTrace', {
    __proto__: null,
    get: () => undefined,
    set: () => undefined,
    enumerable: false,
    configurable: false,
  })

  // The generator of the engine lies in the memory that each call starts from: every call would see the same numbers.
  let seedA = 1
  let seedB = 2
  let seedC = 3
  let counter = 1
  const nextInteger = () => {
    const next = (((seedA + seedB) | 0) + counter) | 0
    counter = (counter + 1) | 0
    seedA = seedB ^ (seedB >>> 9)
    seedB = (seedC + (seedC << 3)) | 0
    seedC = (((seedC << 21) | (seedC >>> 11)) + next) | 0
    return next >>> 0
  }
  define(
    Math,
    'random',
    {
      random() {
        return ((nextInteger() >>> 5) * 67108864 + (nextInteger() >>> 6)) / 9007199254740992
      },
    }.random,
  )

  // Between loading and the end of a call there is nobody to answer.
  let isOpen = false
  let maxCalls = 0
  let maxConcurrent = 1
  let calls = 0
  let active = 0
  const pending = { __proto__: null }
  let firstWaiting
  let lastWaiting

  const requireOpen = (what) => {
    if (!isOpen) throw new TypeErrorConstructor(`${what} cannot be used while the module loads`)
  }

  const countCall = () => {
    calls += 1
    // Does not return.
    if (calls > maxCalls) native(tooManyCalls)
    return calls
  }

  const send = (entry) => {
    active += 1
    pending[entry.id] = entry
    const { id, operation, text } = entry
    entry.text = ''
    native(request, id, operation, text)
  }

  const later = (operation, argument) => {
    requireOpen('The host')
    if (typeof operation !== 'string') {
      throw new TypeErrorConstructor('operation must be a string')
    }
    const text = argument === undefined ? 'null' : stringify(argument)
    if (typeof text !== 'string') {
      throw new TypeErrorConstructor(`The argument of ${operation} must be a JSON value`)
    }
    const id = countCall()
    return new PromiseConstructor((resolve, reject) => {
      const entry = { __proto__: null, id, operation, text, resolve, reject, next: undefined }
      if (active < maxConcurrent) send(entry)
      else if (lastWaiting === undefined) firstWaiting = lastWaiting = entry
      else lastWaiting = lastWaiting.next = entry
    })
  }

  const sendWaiting = () => {
    while (firstWaiting !== undefined && active < maxConcurrent) {
      const entry = firstWaiting
      firstWaiting = entry.next
      if (firstWaiting === undefined) lastWaiting = undefined
      send(entry)
    }
  }

  const settle = (id, isDone, text, name, code) => {
    const entry = pending[id]
    if (entry === undefined) return
    delete pending[id]
    active -= 1
    sendWaiting()
    const { resolve, reject } = entry
    if (isDone === 1) {
      let value
      try {
        value = text === '' ? undefined : parse(text)
      } catch (error) {
        reject(error)
        return
      }
      resolve(value)
      return
    }
    const error = new ErrorConstructor(text)
    if (name !== '' && name !== 'Error') define(error, 'name', name)
    if (code !== '') define(error, 'code', code)
    reject(error)
  }

  // A heap of timers by due time; the host has one timer, for the first of them.
  const timers = { __proto__: null }
  let timerCount = 0
  let lastTimer = 0
  const timersById = { __proto__: null }

  const isBefore = (left, right) =>
    left.due < right.due || (left.due === right.due && left.id < right.id)

  const pushTimer = (timer) => {
    let index = timerCount
    timerCount += 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!isBefore(timer, timers[parent])) break
      timers[index] = timers[parent]
      index = parent
    }
    timers[index] = timer
  }

  const popTimer = () => {
    timerCount -= 1
    const last = timers[timerCount]
    delete timers[timerCount]
    if (timerCount === 0) return
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= timerCount) break
      if (child + 1 < timerCount && isBefore(timers[child + 1], timers[child])) child += 1
      if (!isBefore(timers[child], last)) break
      timers[index] = timers[child]
      index = child
    }
    timers[index] = last
  }

  const askForWake = () => {
    while (timerCount > 0 && timers[0].callback === undefined) popTimer()
    native(wake, timerCount > 0 ? timers[0].due : -1)
  }

  const timer = (durationMs, callback) => {
    requireOpen('A timer')
    if (typeof callback !== 'function') {
      throw new TypeErrorConstructor('callback must be a function')
    }
    const duration =
      typeof durationMs === 'number' && isFinite(durationMs) && durationMs > 0 ? durationMs : 0
    lastTimer += 1
    const entry = { __proto__: null, id: lastTimer, due: native(clock) + duration, callback }
    timersById[lastTimer] = entry
    pushTimer(entry)
    if (timers[0] === entry) askForWake()
    return lastTimer
  }

  const cancelTimer = (id) => {
    if (typeof id !== 'number') return
    const entry = timersById[id]
    if (entry === undefined) return
    delete timersById[id]
    entry.callback = undefined
    if (timers[0] === entry) askForWake()
  }

  // Runs one timer that is due, so that the jobs it makes come before the next one; says whether there was one.
  const tick = () => {
    while (timerCount > 0 && timers[0].callback === undefined) popTimer()
    if (timerCount === 0 || timers[0].due > native(clock)) {
      askForWake()
      return 0
    }
    const { id, callback } = timers[0]
    popTimer()
    delete timersById[id]
    callback()
    return 1
  }

  const sleep = (durationMs) => {
    requireOpen('The host')
    if (typeof durationMs !== 'number' || !isFinite(durationMs) || durationMs < 0) {
      throw new TypeErrorConstructor('durationMs must be a finite number, 0 or more')
    }
    const id = countCall()
    return new PromiseConstructor((resolve) => {
      native(sleepBegins, id)
      timer(durationMs, () => {
        native(sleepEnds, id)
        resolve()
      })
    })
  }

  const now = (name, text) => {
    if (typeof name !== 'string' || typeof text !== 'string') {
      throw new TypeErrorConstructor('name and text must be strings')
    }
    return native(service, name, text)
  }

  const log = (level, message) => {
    if (typeof level !== 'string' || typeof message !== 'string') {
      throw new TypeErrorConstructor('level and message must be strings')
    }
    // What was logged while loading would be repeated by no call: it is dropped.
    if (isOpen) native(writeLog, level, toWellFormed(message))
  }

  const host = freeze({ __proto__: null, now, later, log, sleep, timer, cancelTimer })

  const readText = (value, key, maxLength) => {
    try {
      const text = value[key]
      return typeof text === 'string' ? toWellFormed(slice(text, 0, maxLength)) : ''
    } catch {
      return ''
    }
  }

  const kindOf = (error) => {
    try {
      const prototype = getPrototypeOf(error)
      if (prototype === internalErrorPrototype) return 'internal'
      if (prototype === rangeErrorPrototype) return 'range'
      if (prototype === syntaxErrorPrototype) return 'syntax'
    } catch {
      return ''
    }
    return ''
  }

  // Written into one text: the host reads no property of anything that a guest made.
  const describe = (error) => {
    native(makeRoom)
    const isObject = (typeof error === 'object' && error !== null) || typeof error === 'function'
    if (!isObject) {
      const text = slice(describePrimitive(error), 0, 4096)
      return stringify({
        __proto__: null,
        kind: error === null ? 'null' : '',
        name: '',
        message: toWellFormed(`It threw ${text}`),
        stack: '',
      })
    }
    const message = readText(error, 'message', 4096)
    return stringify({
      __proto__: null,
      kind: kindOf(error),
      name: readText(error, 'name', 100),
      message,
      stack: readText(error, 'stack', 8192),
    })
  }

  const run = async (execute, makeContext, inputText, callText) => {
    let input
    try {
      input = parse(inputText)
    } catch (error) {
      if (kindOf(error) === 'syntax') native(badInput)
      else native(fail, error)
      return
    }
    try {
      const value = await execute(input, makeContext(callText))
      const text = value === undefined ? 'null' : stringify(value)
      if (typeof text === 'string') native(done, text)
      else throw new TypeErrorConstructor(`The result is a ${typeof value}, which JSON cannot hold`)
    } catch (error) {
      native(fail, error)
    }
  }

  const begin = (execute, makeContext, inputText, callText, callLimit, concurrent, a, b, c) => {
    maxCalls = callLimit
    maxConcurrent = concurrent
    seedA = a | 0
    seedB = b | 0
    seedC = c | 0
    counter = 1
    for (let round = 0; round < 12; round += 1) nextInteger()
    isOpen = true
    run(execute, makeContext, inputText, callText)
  }

  const seed = (a, b, c) => {
    seedA = a | 0
    seedB = b | 0
    seedC = c | 0
    for (let round = 0; round < 12; round += 1) nextInteger()
  }

  return { __proto__: null, host, begin, settle, tick, describe, seed }
}
