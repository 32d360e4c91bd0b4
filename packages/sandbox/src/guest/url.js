// URL and URLSearchParams. A script for the guest: its value is `(host, pristine) => void`; see shims.js for its rules.
'use strict'
;(host, pristine) => {
  const { define, list, tag, uncurry } = pristine
  const { apply, defineProperty, get, ownKeys, getOwnPropertyDescriptor } = Reflect
  const { setPrototypeOf } = Object
  const { parse, stringify } = JSON
  const TypeErrorConstructor = TypeError
  const iteratorKey = Symbol.iterator
  const slice = uncurry(String.prototype.slice)
  const toWellFormed = uncurry(String.prototype.toWellFormed)
  const sort = uncurry(Array.prototype.sort)
  const arrayPrototype = Array.prototype

  const toText = (value) => toWellFormed(`${value}`)

  const requireCount = (count, needed, name) => {
    if (count >= needed) return
    throw new TypeErrorConstructor(`${name} needs ${needed} arguments, not ${count}`)
  }

  // Pairs as the lists of this script, from the text of a query.
  const parsePairs = (text) => {
    const pairs = list(parse(host.now('search.parse', text)))
    for (let index = 0; index < pairs.length; index += 1) list(pairs[index])
    return pairs
  }

  const readPair = (item) => {
    if ((typeof item !== 'object' && typeof item !== 'function') || item === null) {
      throw new TypeErrorConstructor('Each entry must be a pair of a name and a value')
    }
    const pair = list([])
    for (const part of item) {
      if (pair.length === 2) pair[2] = ''
      else pair[pair.length] = toText(part)
      if (pair.length > 2) break
    }
    if (pair.length === 2) return pair
    throw new TypeErrorConstructor('Each entry must be a pair of a name and a value')
  }

  const readPairs = (init) => {
    const pairs = list([])
    const method = init[iteratorKey]
    if (method !== undefined && method !== null) {
      for (const item of init) pairs[pairs.length] = readPair(item)
      return pairs
    }
    const keys = list(ownKeys(init))
    for (let index = 0; index < keys.length; index += 1) {
      const descriptor = getOwnPropertyDescriptor(init, keys[index])
      if (descriptor === undefined) continue
      setPrototypeOf(descriptor, null)
      if (descriptor.enumerable !== true) continue
      pairs[pairs.length] = list([toText(keys[index]), toText(get(init, keys[index]))])
    }
    return pairs
  }

  // Set in the classes, which alone reach their private fields.
  let connect
  let refresh

  class URLSearchParams {
    #pairs
    #onChange = undefined
    static {
      connect = (params, onChange) => {
        params.#onChange = onChange
      }
      refresh = (params, text) => {
        params.#pairs = parsePairs(text)
      }
    }
    constructor(init = '') {
      if ((typeof init === 'object' && init !== null) || typeof init === 'function') {
        this.#pairs = readPairs(init)
      } else {
        const text = toText(init)
        this.#pairs = text === '' ? list([]) : parsePairs(text[0] === '?' ? slice(text, 1) : text)
      }
    }
    #format() {
      const pairs = this.#pairs
      if (pairs.length === 0) return ''
      const flat = list([])
      for (let index = 0; index < pairs.length; index += 1) {
        flat[flat.length] = pairs[index][0]
        flat[flat.length] = pairs[index][1]
      }
      return host.now('search.format', stringify(flat))
    }
    #replace(pairs) {
      this.#pairs = pairs
      if (this.#onChange === undefined) return
      const report = this.#onChange
      report(this.#format())
    }
    #without(name, value) {
      const kept = list([])
      for (let index = 0; index < this.#pairs.length; index += 1) {
        const pair = this.#pairs[index]
        const isMeant = pair[0] === name && (value === undefined || pair[1] === value)
        if (!isMeant) kept[kept.length] = pair
      }
      return kept
    }
    #indexOf(name, value) {
      for (let index = 0; index < this.#pairs.length; index += 1) {
        const pair = this.#pairs[index]
        if (pair[0] === name && (value === undefined || pair[1] === value)) return index
      }
      return -1
    }
    get size() {
      return this.#pairs.length
    }
    append(name, value) {
      requireCount(arguments.length, 2, 'append')
      const pairs = this.#pairs
      pairs[pairs.length] = list([toText(name), toText(value)])
      this.#replace(pairs)
    }
    delete(name, value) {
      requireCount(arguments.length, 1, 'delete')
      this.#replace(this.#without(toText(name), value === undefined ? undefined : toText(value)))
    }
    get(name) {
      requireCount(arguments.length, 1, 'get')
      const index = this.#indexOf(toText(name))
      return index < 0 ? null : this.#pairs[index][1]
    }
    getAll(name) {
      requireCount(arguments.length, 1, 'getAll')
      const wanted = toText(name)
      const values = list([])
      for (let index = 0; index < this.#pairs.length; index += 1) {
        if (this.#pairs[index][0] === wanted) values[values.length] = this.#pairs[index][1]
      }
      return setPrototypeOf(values, arrayPrototype)
    }
    has(name, value) {
      requireCount(arguments.length, 1, 'has')
      return this.#indexOf(toText(name), value === undefined ? undefined : toText(value)) >= 0
    }
    set(name, value) {
      requireCount(arguments.length, 2, 'set')
      const wanted = toText(name)
      const text = toText(value)
      const kept = list([])
      let isSet = false
      for (let index = 0; index < this.#pairs.length; index += 1) {
        const pair = this.#pairs[index]
        if (pair[0] !== wanted) kept[kept.length] = pair
        else if (!isSet) {
          kept[kept.length] = list([wanted, text])
          isSet = true
        }
      }
      if (!isSet) kept[kept.length] = list([wanted, text])
      this.#replace(kept)
    }
    sort() {
      const order = (one, other) => (one[0] < other[0] ? -1 : one[0] > other[0] ? 1 : 0)
      this.#replace(sort(this.#pairs, order))
    }
    forEach(callback, self) {
      if (typeof callback !== 'function') {
        throw new TypeErrorConstructor('forEach takes a function')
      }
      for (let index = 0; index < this.#pairs.length; index += 1) {
        apply(callback, self, [this.#pairs[index][1], this.#pairs[index][0], this])
      }
    }
    *#each(shape) {
      for (let index = 0; index < this.#pairs.length; index += 1) yield shape(this.#pairs[index])
    }
    entries() {
      return this.#each((pair) => [pair[0], pair[1]])
    }
    keys() {
      return this.#each((pair) => pair[0])
    }
    values() {
      return this.#each((pair) => pair[1])
    }
    toString() {
      return this.#format()
    }
  }
  defineProperty(URLSearchParams.prototype, iteratorKey, {
    __proto__: null,
    value: URLSearchParams.prototype.entries,
    writable: true,
    configurable: true,
  })
  tag(URLSearchParams.prototype, 'URLSearchParams')
  define('URLSearchParams', URLSearchParams)

  // The host's own reading of an address, or `undefined`.
  const read = (address, base) => {
    const request = base === undefined ? [toText(address)] : [toText(address), toText(base)]
    const text = host.now('url.parse', stringify(list(request)))
    return text === '' ? undefined : parse(text)
  }

  class URL {
    #parts
    #params
    constructor(address, base) {
      requireCount(arguments.length, 1, 'URL')
      const parts = read(address, base)
      if (parts === undefined)
        throw new TypeErrorConstructor(`Invalid URL: ${slice(toText(address), 0, 200)}`)
      this.#parts = parts
    }
    static canParse(address, base) {
      requireCount(arguments.length, 1, 'canParse')
      return read(address, base) !== undefined
    }
    static parse(address, base) {
      requireCount(arguments.length, 1, 'parse')
      return read(address, base) === undefined ? null : new URL(address, base)
    }
    #set(part, value) {
      const request = list([this.#parts.href, part, toText(value)])
      this.#parts = parse(host.now('url.set', stringify(request)))
    }
    #setSearch(part, value) {
      this.#set(part, value)
      if (this.#params !== undefined) refresh(this.#params, slice(this.#parts.search, 1))
    }
    get href() {
      return this.#parts.href
    }
    set href(value) {
      const parts = read(value)
      if (parts === undefined) throw new TypeErrorConstructor('Invalid URL')
      this.#parts = parts
      if (this.#params !== undefined) refresh(this.#params, slice(parts.search, 1))
    }
    get origin() {
      return this.#parts.origin
    }
    get protocol() {
      return this.#parts.protocol
    }
    set protocol(value) {
      this.#set('protocol', value)
    }
    get username() {
      return this.#parts.username
    }
    set username(value) {
      this.#set('username', value)
    }
    get password() {
      return this.#parts.password
    }
    set password(value) {
      this.#set('password', value)
    }
    get host() {
      return this.#parts.host
    }
    set host(value) {
      this.#set('host', value)
    }
    get hostname() {
      return this.#parts.hostname
    }
    set hostname(value) {
      this.#set('hostname', value)
    }
    get port() {
      return this.#parts.port
    }
    set port(value) {
      this.#set('port', value)
    }
    get pathname() {
      return this.#parts.pathname
    }
    set pathname(value) {
      this.#set('pathname', value)
    }
    get search() {
      return this.#parts.search
    }
    set search(value) {
      this.#setSearch('search', value)
    }
    get searchParams() {
      if (this.#params === undefined) {
        this.#params = new URLSearchParams(this.#parts.search)
        connect(this.#params, (text) => this.#set('search', text))
      }
      return this.#params
    }
    get hash() {
      return this.#parts.hash
    }
    set hash(value) {
      this.#set('hash', value)
    }
    toString() {
      return this.#parts.href
    }
    toJSON() {
      return this.#parts.href
    }
  }
  tag(URL.prototype, 'URL')
  define('URL', URL)
}
