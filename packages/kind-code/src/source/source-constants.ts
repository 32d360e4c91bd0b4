import type { AnyNode, AssignmentProperty, MemberExpression, Property } from 'acorn'
import type { SourceScopes } from './source-scopes.ts'

/** What is known of a text before it runs. */
export interface KnownText {
  /** How it begins. */
  readonly text: string
  /** Whether that is all of it. */
  readonly isWhole: boolean
}

/** Values that are known before the source runs: literals, and what is put together from them by constants. */
export interface SourceConstants {
  /** A text that is known in whole. */
  textOf(node: AnyNode): string | undefined
  /** How a text begins, as far as that is known. */
  beginningOf(node: AnyNode): KnownText | undefined
  /** The key of a member or a property; `undefined` where it is only known when it runs. */
  keyOf(node: MemberExpression | Property | AssignmentProperty): string | undefined
}

/** Longer texts are cut: they are no key, no path and no address. */
const maxTextLength = 10_000
const maxDepth = 1_000
const nothing: KnownText = { text: '', isWhole: false }

/** Folds constants: literals, templates, `+` and names that are declared once by a constant. */
export function foldConstants(scopes: SourceScopes): SourceConstants {
  const known = new Map<AnyNode, KnownText | undefined>()
  let depth = 0

  const fold = (node: AnyNode): KnownText | undefined => {
    if (known.has(node)) return known.get(node)
    // Constants that are made from constants nest without nesting in the source.
    if (depth > maxDepth) return undefined
    // A constant that is made from itself is none.
    known.set(node, undefined)
    depth += 1
    const found = foldNow(node)
    depth -= 1
    const cut =
      found !== undefined && found.text.length > maxTextLength
        ? { text: found.text.slice(0, maxTextLength), isWhole: false }
        : found
    known.set(node, cut)
    return cut
  }

  const foldNow = (node: AnyNode): KnownText | undefined => {
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'string' || typeof node.value === 'number'
          ? { text: String(node.value), isWhole: true }
          : undefined
      case 'TemplateLiteral':
        return join(
          node.quasis.flatMap((quasi, index) => {
            const expression = node.expressions[index]
            const text = { text: quasi.value.cooked ?? '', isWhole: true }
            return expression === undefined ? [text] : [text, fold(expression) ?? nothing]
          }),
        )
      case 'BinaryExpression': {
        if (node.operator !== '+' || node.left.type === 'PrivateIdentifier') return undefined
        const [left, right] = [fold(node.left), fold(node.right)]
        if (left === undefined && right === undefined) return undefined
        // 1 + 2 is no text.
        if (isNumber(node.left) && isNumber(node.right)) return undefined
        return join([left ?? nothing, right ?? nothing])
      }
      case 'SequenceExpression': {
        const last = node.expressions.at(-1)
        return last === undefined ? undefined : fold(last)
      }
      case 'Identifier': {
        const binding = scopes.bindingOf(node)
        const { isReassigned = true, value } = binding ?? {}
        return isReassigned || value === undefined ? undefined : fold(value)
      }
      default:
        return undefined
    }
  }

  const textOf = (node: AnyNode): string | undefined => {
    const found = fold(node)
    return found?.isWhole === true ? found.text : undefined
  }
  return {
    textOf,
    beginningOf: fold,
    keyOf(node) {
      const key = node.type === 'MemberExpression' ? node.property : node.key
      if (key.type === 'PrivateIdentifier') return `#${key.name}`
      if (!node.computed && key.type === 'Identifier') return key.name
      return textOf(key)
    },
  }
}

function isNumber(node: AnyNode): boolean {
  return node.type === 'Literal' && typeof node.value === 'number'
}

function join(parts: readonly KnownText[]): KnownText {
  let text = ''
  for (const part of parts) {
    text += part.text
    if (!part.isWhole) return { text, isWhole: false }
  }
  return { text, isWhole: true }
}
