import { intersectOrigins, isOriginWithin } from './origin-intersection.ts'
import type { OriginPattern } from './origin-pattern.ts'
import { findProtectedStep, protectsContent } from '../files/paths/path-protected.ts'
import { isPathWithin } from './policy-path.ts'
import { type AddressRange, isRangeWithin } from '../addresses/private-range.ts'

/** A tool that may be called; `hash` is `null` for every version of it. */
export interface Callee {
  readonly name: string
  readonly hash: string | null
}

/** How the items of one list of a policy compare; each stands for a set of things that are allowed. */
export interface ItemOrder<Item> {
  /** Whether everything that one item allows is allowed by another. */
  isWithin(inner: Item, outer: Item): boolean
  /** What both allow. Two items that only overlap need this; else it is the one that lies within the other. */
  intersect?(first: Item, second: Item): Item | undefined
  /** The same text for items that allow the same. */
  text(item: Item): string
}

/**
 * Files and folders, normalised. A folder does not allow the protected names in it, such as `.env`: those have to be named
 * themselves, so they lie in no folder above them.
 */
function createPathOrder(access: 'read' | 'write'): ItemOrder<string> {
  return {
    text: (path) => path,
    isWithin: (inner, outer) => {
      if (!isPathWithin(inner, outer)) return false
      const steps = inner.split('/').slice(outer === '.' ? 0 : outer.split('/').length)
      // What is named no longer counts as a step, so of a folder such as `.config` all content would be allowed.
      return findProtectedStep(steps, access) === undefined && !protectsContent(steps.at(-1) ?? '')
    },
  }
}

/** Files and folders that may be read. */
export const readPathOrder: ItemOrder<string> = createPathOrder('read')

/** Files and folders that may be changed. */
export const writePathOrder: ItemOrder<string> = createPathOrder('write')

/** Origins. */
export const originOrder: ItemOrder<OriginPattern> = {
  isWithin: isOriginWithin,
  intersect: intersectOrigins,
  text: (origin) => origin.text,
}

/** Ranges of addresses. */
export const rangeOrder: ItemOrder<AddressRange> = {
  isWithin: isRangeWithin,
  text: (range) => range.text,
}

/** Tools that may be called. */
export const calleeOrder: ItemOrder<Callee> = {
  isWithin: (inner, outer) =>
    inner.name === outer.name && (outer.hash === null || inner.hash === outer.hash),
  text: ({ name, hash }) => `${name} ${hash ?? ''}`,
}

/** Names that are allowed or not: methods, secrets. */
export const nameOrder: ItemOrder<string> = {
  isWithin: (inner, outer) => inner === outer,
  text: (name) => name,
}

/** The items of a list that no other item of it makes needless, in the order of their texts. */
export function reduceItems<Item>(items: readonly Item[], order: ItemOrder<Item>): Item[] {
  const distinct = [...new Map(items.map((item) => [order.text(item), item])).values()]
  return distinct
    .filter((item) => !distinct.some((other) => other !== item && order.isWithin(item, other)))
    .toSorted((left, right) => compareTexts(order.text(left), order.text(right)))
}

/** The items that allow what two lists both allow. */
export function intersectItems<Item>(
  [first, second]: readonly [readonly Item[], readonly Item[]],
  order: ItemOrder<Item>,
): Item[] {
  const found = first.flatMap((left) =>
    second.map((right) =>
      order.intersect === undefined
        ? findNarrower(order, left, right)
        : order.intersect(left, right),
    ),
  )
  return reduceItems(
    found.filter((item) => item !== undefined),
    order,
  )
}

/** Whether one of the items allows everything that an item allows. */
export function isCovered<Item>(
  item: Item,
  items: readonly Item[],
  order: ItemOrder<Item>,
): boolean {
  return items.some((other) => order.isWithin(item, other))
}

function findNarrower<Item>(order: ItemOrder<Item>, left: Item, right: Item): Item | undefined {
  if (order.isWithin(left, right)) return left
  return order.isWithin(right, left) ? right : undefined
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}
