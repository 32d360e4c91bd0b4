import type { AnyNode, CallExpression } from 'acorn'
import { type SourceAnalysis, quote } from '../source/source-analysis.ts'
import type { KnownText } from '../source/source-constants.ts'
import type { SourceFlow } from '../source/source-flows.ts'

/** Checks what a call through `ctx` is given, as far as that is known before it runs. */
export function checkLiterals(analysis: SourceAnalysis, { how, node, path }: SourceFlow): void {
  if (how !== 'call' || node.type !== 'CallExpression') return
  const [, service, method = ''] = path
  const target =
    service === 'http' && method === 'request' ? urlOfRequest(analysis, node) : node.arguments[0]
  if (target === undefined || target.type === 'SpreadElement') return
  const known = analysis.constants.beginningOf(target)
  if (known === undefined) return
  switch (service) {
    case 'fs':
      return checkPath(analysis, target, known)
    case 'http':
      return analysis.noteAddress(target, known)
    case 'secrets':
      return checkName(analysis, target, {
        known,
        rule: 'secret.literal',
        what: 'secret',
        names: analysis.powers.secrets,
      })
    case 'tools':
      return checkName(analysis, target, {
        known,
        rule: 'callee.literal',
        what: 'tool',
        names: analysis.powers.callees,
      })
    default:
  }
}

function urlOfRequest(analysis: SourceAnalysis, call: CallExpression): AnyNode | undefined {
  const [first] = call.arguments
  const request = first?.type === 'Identifier' ? initialValueOf(analysis, first) : first
  if (request?.type !== 'ObjectExpression') return undefined
  // The last of several wins; what is spread after it may replace it.
  const last = request.properties.findLast(
    (each) => each.type === 'SpreadElement' || analysis.constants.keyOf(each) === 'url',
  )
  return last?.type === 'Property' ? last.value : undefined
}

function initialValueOf(analysis: SourceAnalysis, node: AnyNode): AnyNode | undefined {
  const binding = node.type === 'Identifier' ? analysis.scopes.bindingOf(node) : undefined
  // An object that is looked at in other places may be changed there.
  if (binding?.isReassigned !== false || binding.references.length !== 1) return undefined
  return binding.value
}

interface NameCheck {
  readonly known: KnownText
  readonly rule: 'secret.literal' | 'callee.literal'
  readonly what: string
  readonly names: readonly string[]
}

function checkName(
  analysis: SourceAnalysis,
  node: AnyNode,
  { known, names, rule, what }: NameCheck,
): void {
  const isDeclared = known.isWhole
    ? names.includes(known.text)
    : names.some((name) => name.startsWith(known.text))
  if (isDeclared) return
  const declared = names.slice(0, 10).map((name) => quote(name))
  analysis.refuse(
    rule,
    node,
    `The ${what} ${quote(known.text)} is none of those that this tool declares (${declared.join(', ') || 'none'}). Declare it, or use one of them.`,
  )
}

function checkPath(analysis: SourceAnalysis, node: AnyNode, known: KnownText): void {
  const { allowedPaths } = analysis.powers
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  if (/[\u0000-\u001F\u007F]|^[a-z][a-z0-9+.-]+:/i.test(known.text))
    return analysis.refuse(
      'path.literal',
      node,
      `The path ${quote(known.text)} holds a control character or the scheme of an address. Write a plain path.`,
    )
  const { isAbsolute, steps, isClimbing } = readPath(known)
  if (isClimbing)
    return analysis.refuse(
      'path.literal',
      node,
      `The path ${quote(known.text)} climbs out with "..". Write where it leads.`,
    )
  if (!isAbsolute) return
  const isInside = allowedPaths.some((allowed) => {
    const folder = readPath({ text: allowed, isWhole: true })
    // What is not known yet may lead into a folder further down, and a relative folder lies nobody knows where.
    if (!folder.isAbsolute) return !known.isWhole
    const shared = Math.min(folder.steps.length, steps.length)
    const isDeepEnough = !known.isWhole || steps.length >= folder.steps.length
    return isDeepEnough && folder.steps.slice(0, shared).every((step, at) => step === steps[at])
  })
  if (!isInside)
    analysis.refuse(
      'path.literal',
      node,
      `The path ${quote(known.text)} lies in none of the folders that this tool declares (${
        allowedPaths
          .slice(0, 10)
          .map((path) => quote(path))
          .join(', ') || 'none'
      }).`,
    )
}

interface ReadPath {
  readonly isAbsolute: boolean
  readonly steps: readonly string[]
  /** Whether it leads out of the folder that it starts from. */
  readonly isClimbing: boolean
}

function readPath({ isWhole, text }: KnownText): ReadPath {
  const path = text.replaceAll('\\', '/')
  const isAbsolute = path.startsWith('/') || /^[A-Za-z]:/.test(path)
  const steps: string[] = []
  let isClimbing = path.startsWith('~')
  const parts = path.split('/')
  // The last step goes on where the text does.
  if (!isWhole) parts.pop()
  for (const part of parts)
    if (part === '..') {
      if (steps.pop() === undefined && !isAbsolute) isClimbing = true
    } else if (part !== '' && part !== '.') steps.push(part)
  return { isAbsolute, steps, isClimbing }
}
