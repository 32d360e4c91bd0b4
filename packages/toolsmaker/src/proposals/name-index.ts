/** Every character that a tool name may have. */
const nameCharacters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-'.split('')

/** Up to how many names of nearly the same length are compared one by one: that is faster than trying every edit. */
const comparedNames = 500

/** A name without what is easily overlooked: case, "_" and "-". */
export function plainName(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase()
}

/**
 * Names, so kept that those that look like another one are found at the same cost among a hundred as among a hundred
 * thousand: names with the same plain form by that form, and names one edit away by trying every edit.
 */
export class NameIndex {
  /** Mostly one name has a plain form; a set for each would take more room than the names. */
  readonly #byPlain = new Map<string, string | Set<string>>()
  readonly #byLength = new Map<number, Set<string>>()

  add(name: string): void {
    this.#addPlain(plainName(name), name)
    const names = this.#byLength.get(name.length)
    if (names === undefined) this.#byLength.set(name.length, new Set([name]))
    else names.add(name)
  }

  delete(name: string): void {
    const plain = plainName(name)
    const known = this.#byPlain.get(plain)
    if (known === name) this.#byPlain.delete(plain)
    else if (typeof known === 'object') known.delete(name)
    this.#byLength.get(name.length)?.delete(name)
  }

  has(name: string): boolean {
    return this.#byLength.get(name.length)?.has(name) === true
  }

  /** The names that differ from a name in nothing but case, "_" and "-", or in one edit; never the name itself. */
  similarTo(name: string): ReadonlySet<string> {
    const twins = this.#byPlain.get(plainName(name)) ?? []
    const similar = new Set(typeof twins === 'string' ? [twins] : twins)
    for (const near of this.#oneEditAway(name)) similar.add(near)
    similar.delete(name)
    return similar
  }

  #addPlain(plain: string, name: string): void {
    const known = this.#byPlain.get(plain)
    if (known === undefined) this.#byPlain.set(plain, name)
    else if (typeof known === 'object') known.add(name)
    else if (known !== name) this.#byPlain.set(plain, new Set([known, name]))
  }

  #oneEditAway(name: string): Iterable<string> {
    const near = [name.length - 1, name.length, name.length + 1].flatMap(
      (length) => this.#byLength.get(length) ?? [],
    )
    const count = near.reduce((sum, { size }) => sum + size, 0)
    if (count > comparedNames) return [...editsOf(name)].filter((edited) => this.has(edited))
    return near.flatMap((names) => [...names].filter((other) => isOneEditAway(name, other)))
  }
}

function* editsOf(name: string): Iterable<string> {
  for (let place = 0; place <= name.length; place += 1) {
    const before = name.slice(0, place)
    const rest = name.slice(place)
    for (const character of nameCharacters) yield before + character + rest
    if (rest === '') return
    const after = rest.slice(1)
    yield before + after
    for (const character of nameCharacters) yield before + character + after
    if (after !== '') yield before + after.charAt(0) + rest.charAt(0) + after.slice(1)
  }
}

/** Tells whether one insertion, removal, replacement or swap of neighbours turns one name into the other. */
export function isOneEditAway(left: string, right: string): boolean {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left]
  if (long.length - short.length > 1 || short === long) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start += 1
  if (long.length > short.length) return short.slice(start) === long.slice(start + 1)
  if (short.slice(start + 1) === long.slice(start + 1)) return true
  return (
    short[start] === long[start + 1] &&
    short[start + 1] === long[start] &&
    short.slice(start + 2) === long.slice(start + 2)
  )
}
