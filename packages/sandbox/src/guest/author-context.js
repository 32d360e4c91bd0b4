// The author's `ctx`. A script for the guest: its value is `(host) => (callJson) => ctx`.
//
// Guest code may have replaced every built-in by the time one of these functions runs. So everything that is used is taken
// here, before any guest code ran; what crosses to the host has no prototype and no accessor, and is read once.
'use strict'
;(host) => {
  const { apply, defineProperty, get, getOwnPropertyDescriptor, has, ownKeys } = Reflect
  const { create, freeze, setPrototypeOf } = Object
  const { parse, stringify } = JSON
  const { isArray } = Array
  const { isFinite } = Number
  const PromiseConstructor = Promise
  const TypeErrorConstructor = TypeError
  const { then } = Promise.prototype
  const toUpperCase = Function.prototype.call.bind(String.prototype.toUpperCase)
  const slice = Function.prototype.call.bind(String.prototype.slice)
  const objectPrototype = Object.prototype
  const arrayPrototype = Array.prototype

  const describe = (value) => {
    if (value === null) return 'null'
    if (isArray(value)) return 'an array'
    if (typeof value === 'undefined') return 'undefined'
    if (typeof value === 'object') return 'an object'
    return `a ${typeof value}`
  }

  const refuse = (name, rule, value) => {
    throw new TypeErrorConstructor(`${name} must be ${rule}, not ${describe(value)}`)
  }

  const requireString = (value, name) => {
    if (typeof value !== 'string') refuse(name, 'a string', value)
    return value
  }

  const requireDuration = (value, name) => {
    if (typeof value !== 'number') refuse(name, 'a number of milliseconds', value)
    if (!isFinite(value) || value < 0) {
      throw new TypeErrorConstructor(`${name} must be a finite number, 0 or more, not ${value}`)
    }
    return value
  }

  const requireObject = (value, name) => {
    if (typeof value !== 'object' || value === null || isArray(value)) {
      refuse(name, 'an object', value)
    }
    return value
  }

  // An object for the host: nothing is inherited, so nothing can be put under it.
  const record = (fields) => setPrototypeOf(fields, null)

  const set = (target, key, value) =>
    defineProperty(target, key, record({ value, enumerable: true, configurable: true }))

  // Calls `take(key, value)` for each own property. A getter is refused: it could give another value to each reader.
  const eachOwnField = (source, name, take) => {
    const keys = setPrototypeOf(ownKeys(source), null)
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index]
      if (typeof key === 'symbol') continue
      const descriptor = getOwnPropertyDescriptor(source, key)
      if (descriptor === undefined) continue
      setPrototypeOf(descriptor, null)
      if (!descriptor.enumerable) continue
      if (descriptor.get !== undefined || descriptor.set !== undefined) {
        throw new TypeErrorConstructor(`${name}.${key} must be a value, not a getter or setter`)
      }
      if (descriptor.value !== undefined) take(key, descriptor.value)
    }
  }

  // Takes the prototypes away, so that no `toJSON` is found below a value that came from `parse`.
  const bare = (value) => {
    if (typeof value !== 'object' || value === null) return value
    setPrototypeOf(value, null)
    const keys = setPrototypeOf(ownKeys(value), null)
    for (let index = 0; index < keys.length; index += 1) bare(value[keys[index]])
    return value
  }

  // What JSON says of a value, as plain data: getters and `toJSON` of the author ran once, here.
  const toData = (value, name) => {
    const text = stringify(value)
    if (text === undefined) refuse(name, 'a JSON value', value)
    const data = parse(text)
    return has(objectPrototype, 'toJSON') || has(arrayPrototype, 'toJSON') ? bare(data) : data
  }

  // Asks the host. `begin` gives the promise of the answer; what it throws rejects, as in an async function.
  const ask = (begin, shape) =>
    new PromiseConstructor((resolve, reject) => {
      const answer = begin()
      // Without this `then` would look for a constructor that the guest may have replaced.
      defineProperty(answer, 'constructor', record({ value: undefined }))
      const settle = setPrototypeOf(
        [(value) => resolve(shape === undefined ? value : shape(value)), reject],
        null,
      )
      apply(then, answer, settle)
    })

  const methods = record({
    GET: true,
    HEAD: true,
    POST: true,
    PUT: true,
    PATCH: true,
    DELETE: true,
  })

  const copyHeaders = (source) => {
    const headers = create(null)
    eachOwnField(requireObject(source, 'request.headers'), 'request.headers', (key, value) =>
      set(headers, key, requireString(value, `request.headers.${key}`)),
    )
    return headers
  }

  const requestFields = record({
    url: (value) => requireString(value, 'request.url'),
    method: (value) => {
      const method = toUpperCase(requireString(value, 'request.method'))
      if (methods[method] !== true) {
        throw new TypeErrorConstructor(
          'request.method must be GET, HEAD, POST, PUT, PATCH or DELETE',
        )
      }
      return method
    },
    headers: copyHeaders,
    body: (value) => {
      if (typeof value !== 'string') {
        refuse('request.body', 'a string (use request.json for a value)', value)
      }
      return value
    },
    json: (value) => toData(value, 'request.json'),
    timeoutMs: (value) => requireDuration(value, 'request.timeoutMs'),
  })

  const copyRequest = (source, fixed) => {
    const request = record({ url: undefined, method: 'GET', headers: create(null) })
    if (source !== undefined) {
      eachOwnField(requireObject(source, 'request'), 'request', (key, value) => {
        const copy = requestFields[key]
        if (copy === undefined || (fixed !== undefined && (key === 'url' || key === 'method'))) {
          const known = fixed === undefined ? 'url, method, headers' : 'headers'
          throw new TypeErrorConstructor(
            `request.${key} is not a field of a request: use ${known}, body, json or timeoutMs`,
          )
        }
        set(request, key, copy(value))
      })
    }
    if (fixed !== undefined) {
      request.url = requestFields.url(fixed.url)
      request.method = fixed.method
    }
    requireString(request.url, 'request.url')
    if (request.body !== undefined && request.json !== undefined) {
      throw new TypeErrorConstructor('request.body and request.json cannot both be given')
    }
    return request
  }

  const parseOrNull = (text) => {
    try {
      return parse(text)
    } catch {
      return null
    }
  }

  const shapeResponse = (answer) => {
    const { status, url, headers, text, base64 } = answer
    let isParsed = false
    let value = null
    return {
      status,
      ok: status >= 200 && status <= 299,
      url,
      headers,
      text,
      ...(base64 === undefined ? undefined : { base64 }),
      // Parsed when it is first asked for.
      get json() {
        if (!isParsed) {
          value = parseOrNull(text)
          isParsed = true
        }
        return value
      },
    }
  }

  const send = (source, fixed) =>
    ask(() => host.later('http.request', copyRequest(source, fixed)), shapeResponse)

  const http = {
    request: (request) => {
      // What people mean by a text in the place of a request.
      if (typeof request === 'string')
        return send(undefined, record({ url: request, method: 'GET' }))
      return send(request === undefined ? null : request)
    },
    get: (url, options) => send(options, record({ url, method: 'GET' })),
    post: (url, options) => send(options, record({ url, method: 'POST' })),
    put: (url, options) => send(options, record({ url, method: 'PUT' })),
    patch: (url, options) => send(options, record({ url, method: 'PATCH' })),
    delete: (url, options) => send(options, record({ url, method: 'DELETE' })),
    head: (url, options) => send(options, record({ url, method: 'HEAD' })),
  }

  const ofPath = (operation) => (path) =>
    ask(() => host.later(operation, record({ path: requireString(path, 'path') })))

  const nothing = () => undefined

  const ofPathAndText = (operation, name) => (path, text) =>
    ask(
      () =>
        host.later(
          operation,
          record({ path: requireString(path, 'path'), [name]: requireString(text, name) }),
        ),
      nothing,
    )

  const ofPathOnly = (operation) => (path) =>
    ask(() => host.later(operation, record({ path: requireString(path, 'path') })), nothing)

  const fs = {
    readText: ofPath('fs.readText'),
    readBytes: ofPath('fs.readBytes'),
    writeText: ofPathAndText('fs.writeText', 'text'),
    writeBytes: ofPathAndText('fs.writeBytes', 'base64'),
    appendText: ofPathAndText('fs.appendText', 'text'),
    exists: ofPath('fs.exists'),
    stat: ofPath('fs.stat'),
    list: ofPath('fs.list'),
    createFolder: ofPathOnly('fs.createFolder'),
    delete: ofPathOnly('fs.delete'),
  }

  const secrets = {
    ref: (name) =>
      ask(() => host.later('secrets.ref', record({ name: requireString(name, 'name') }))),
  }

  const tools = {
    call: (name, input) =>
      ask(() => {
        requireString(name, 'name')
        const data =
          input === undefined ? create(null) : toData(requireObject(input, 'input'), 'input')
        return host.later('tools.call', record({ name, input: requireObject(data, 'input') }))
      }),
  }

  const levels = record({ debug: true, info: true, warn: true, error: true })
  const longestMessage = 65_536

  const toText = (value) => {
    try {
      if (typeof value === 'string') return value
      const text = typeof value === 'object' ? stringify(value) : undefined
      return text === undefined ? `${typeof value === 'symbol' ? 'a symbol' : value}` : text
    } catch {
      return `(${describe(value)} that cannot be shown)`
    }
  }

  // Never throws: a message must not be what breaks a tool.
  const log = (level, message) => {
    const isLevel = typeof level === 'string' && levels[level] === true
    // A single argument is the message.
    const text = toText(isLevel || message !== undefined ? message : level)
    host.log(isLevel ? level : 'info', slice(text, 0, longestMessage))
  }

  const sleep = (durationMs) =>
    ask(() => host.sleep(requireDuration(durationMs, 'durationMs')), nothing)

  const freezeDeep = (value) => {
    if (typeof value !== 'object' || value === null) return value
    const keys = setPrototypeOf(ownKeys(value), null)
    for (let index = 0; index < keys.length; index += 1) freezeDeep(get(value, keys[index]))
    return freeze(value)
  }

  const freezeMembers = (group) => {
    const keys = ownKeys(group)
    for (let index = 0; index < keys.length; index += 1) freeze(group[keys[index]])
    return freeze(group)
  }

  // Made once: only `call` differs from one call to the next.
  const shared = [http, fs, secrets, tools]
  for (let index = 0; index < shared.length; index += 1) freezeMembers(shared[index])
  freeze(log)
  freeze(sleep)

  return (callJson) =>
    freeze({ http, fs, secrets, tools, call: freezeDeep(parse(callJson)), log, sleep })
}
