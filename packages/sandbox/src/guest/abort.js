// AbortController and AbortSignal. A script for the guest: its value is `(host, pristine) => void`; see shims.js for its rules.
'use strict'
;(host, pristine) => {
  const { define, list, tag } = pristine
  const { apply } = Reflect
  const { freeze } = Object
  const TypeErrorConstructor = TypeError
  const RangeErrorConstructor = RangeError
  const Exception = DOMException
  const longestDelay = 2_147_483_647

  const key = freeze({ __proto__: null })
  const isCallable = (value) => typeof value === 'function'
  const isListener = (value) => isCallable(value) || (typeof value === 'object' && value !== null)

  // A listener that throws must not keep the others from being told.
  const tell = (listener, signal, event) => {
    try {
      if (isCallable(listener)) apply(listener, signal, [event])
      else apply(listener.handleEvent, listener, [event])
    } catch {
      host.log('error', 'A listener of an AbortSignal threw an error')
    }
  }

  // Set in the class, which alone reaches its private fields.
  let abort
  let isSignal

  class AbortSignal {
    #isAborted = false
    #reason = undefined
    #listeners = list([])
    #followers = list([])
    onabort = null
    static {
      isSignal = (value) => typeof value === 'object' && value !== null && #reason in value
      abort = (signal, reason) => {
        if (signal.#isAborted) return
        // All are marked before the first listener runs; the list grows while it is read.
        const told = list([signal])
        signal.#mark(reason)
        for (let at = 0; at < told.length; at += 1) {
          const followers = told[at].#followers
          for (let index = 0; index < followers.length; index += 1) {
            const follower = followers[index]
            if (follower.#isAborted) continue
            follower.#mark(reason)
            told[told.length] = follower
          }
        }
        for (let index = 0; index < told.length; index += 1) told[index].#tell()
      }
    }
    constructor(caller) {
      if (caller !== key)
        throw new TypeErrorConstructor('Illegal constructor: use an AbortController')
    }
    static abort(reason) {
      const signal = new AbortSignal(key)
      abort(
        signal,
        reason === undefined ? new Exception('This operation was aborted', 'AbortError') : reason,
      )
      return signal
    }
    static timeout(durationMs) {
      if (typeof durationMs !== 'number') {
        throw new TypeErrorConstructor('The time must be a number of milliseconds')
      }
      if (!(durationMs >= 0 && durationMs <= longestDelay)) {
        throw new RangeErrorConstructor(`The time must be 0 to ${longestDelay} milliseconds`)
      }
      const signal = new AbortSignal(key)
      host.timer(durationMs, () =>
        abort(signal, new Exception('The operation was aborted due to timeout', 'TimeoutError')),
      )
      return signal
    }
    static any(signals) {
      const sources = list([])
      for (const source of signals) {
        if (!isSignal(source)) throw new TypeErrorConstructor('AbortSignal.any takes AbortSignals')
        sources[sources.length] = source
      }
      const signal = new AbortSignal(key)
      for (let index = 0; index < sources.length; index += 1) {
        if (sources[index].#isAborted) {
          abort(signal, sources[index].#reason)
          return signal
        }
      }
      for (let index = 0; index < sources.length; index += 1) {
        const followers = sources[index].#followers
        followers[followers.length] = signal
      }
      return signal
    }
    #mark(reason) {
      this.#isAborted = true
      this.#reason = reason
    }
    #tell() {
      const event = freeze({ type: 'abort', target: this, currentTarget: this })
      const listeners = this.#listeners
      this.#followers = list([])
      if (isCallable(this.onabort)) tell(this.onabort, this, event)
      for (let index = 0; index < listeners.length; index += 1) {
        if (!listeners[index].isRemoved) tell(listeners[index].listener, this, event)
      }
      this.#listeners = list([])
    }
    get aborted() {
      return this.#isAborted
    }
    get reason() {
      return this.#reason
    }
    throwIfAborted() {
      if (this.#isAborted) throw this.#reason
    }
    addEventListener(type, listener, options) {
      if (`${type}` !== 'abort' || !isListener(listener) || this.#isAborted) return
      for (let index = 0; index < this.#listeners.length; index += 1) {
        const known = this.#listeners[index]
        if (known.listener === listener && !known.isRemoved) return
      }
      const signal = typeof options === 'object' && options !== null ? options.signal : undefined
      if (isSignal(signal)) {
        if (signal.#isAborted) return
        signal.addEventListener('abort', () => this.removeEventListener('abort', listener))
      }
      this.#listeners[this.#listeners.length] = { __proto__: null, listener, isRemoved: false }
    }
    removeEventListener(type, listener) {
      if (`${type}` !== 'abort') return
      const kept = list([])
      for (let index = 0; index < this.#listeners.length; index += 1) {
        const known = this.#listeners[index]
        if (known.listener === listener) known.isRemoved = true
        else kept[kept.length] = known
      }
      this.#listeners = kept
    }
  }
  tag(AbortSignal.prototype, 'AbortSignal')
  define('AbortSignal', AbortSignal)

  class AbortController {
    #signal = new AbortSignal(key)
    get signal() {
      return this.#signal
    }
    abort(reason) {
      abort(
        this.#signal,
        reason === undefined ? new Exception('This operation was aborted', 'AbortError') : reason,
      )
    }
  }
  tag(AbortController.prototype, 'AbortController')
  define('AbortController', AbortController)
}
