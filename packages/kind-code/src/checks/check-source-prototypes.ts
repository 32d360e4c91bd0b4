import type { AnyNode, AssignmentProperty, MemberExpression, Property } from 'acorn'
import { languageGlobals, sandboxGlobals } from '../source/known-globals.ts'
import { type SourceAnalysis, quote } from '../source/source-analysis.ts'
import { type SourceTrace, traceFlows } from '../source/source-flows.ts'

const accessNames = new Set([
  '__proto__',
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
])
const comparisons = new Set(['===', '!==', '==', '!=', 'instanceof'])
/** Functions that change the object they are given first. */
const changing = new Set([
  'Object.assign',
  'Object.defineProperty',
  'Object.defineProperties',
  'Object.freeze',
  'Object.seal',
  'Object.preventExtensions',
  'Reflect.set',
  'Reflect.defineProperty',
  'Reflect.deleteProperty',
  'Reflect.preventExtensions',
])
/** Globals that are no objects: a variable that begins with one of them will hold something else. */
const plainValues = new Set(['undefined', 'NaN', 'Infinity'])
const prototypeReaders = new Set(['Object.getPrototypeOf', 'Reflect.getPrototypeOf'])
const prototypeWriters = new Set(['Object.setPrototypeOf', 'Reflect.setPrototypeOf'])

/** Checks that a source neither reaches for constructors and prototypes by their names nor changes built-in objects. */
export function checkPrototypes(analysis: SourceAnalysis): void {
  for (const node of analysis.tree.nodes)
    if (node.type === 'MemberExpression') checkMember(analysis, node)
    else if (node.type === 'Property') checkProperty(analysis, node)
  checkMutations(analysis, traceBuiltIns(analysis))
}

function checkMember(analysis: SourceAnalysis, node: MemberExpression): void {
  const key = analysis.constants.keyOf(node)
  if (key === undefined) return
  if (accessNames.has(key)) refuseAccess(analysis, node, key)
  if (key !== 'constructor') return
  const isPlain = !node.computed || node.property.type === 'Literal'
  if (!isPlain || !isOnlyLookedAt(analysis, node)) refuseConstructor(analysis, node)
}

function checkProperty(analysis: SourceAnalysis, node: Property | AssignmentProperty): void {
  const key = analysis.constants.keyOf(node)
  if (key === undefined) return
  if (analysis.tree.parentOf(node)?.type === 'ObjectPattern') {
    if (accessNames.has(key)) refuseAccess(analysis, node, key)
    if (key === 'constructor') refuseConstructor(analysis, node)
    return
  }
  // In a literal it sets the prototype; `null` is the usual way to have none, and computed keys are ordinary ones.
  const isNull = node.value.type === 'Literal' && node.value.value === null
  if (key === '__proto__' && !node.computed && !node.shorthand && !node.method && !isNull)
    refuseAccess(analysis, node, key)
}

/** `e.constructor.name` and comparisons tell what a value is; anything else could make code from text. */
function isOnlyLookedAt(analysis: SourceAnalysis, node: MemberExpression): boolean {
  let parent = analysis.tree.parentOf(node)
  if (parent?.type === 'ChainExpression') parent = analysis.tree.parentOf(parent)
  if (parent?.type === 'MemberExpression') return analysis.constants.keyOf(parent) === 'name'
  if (parent?.type === 'BinaryExpression') return comparisons.has(parent.operator)
  return parent?.type === 'UnaryExpression' && parent.operator === 'typeof'
}

function refuseConstructor(analysis: SourceAnalysis, node: AnyNode): void {
  analysis.refuse(
    'proto.constructor',
    node,
    'A constructor cannot be reached through "constructor". Name the class; only "constructor.name" and comparisons are fine.',
  )
}

function refuseAccess(analysis: SourceAnalysis, node: AnyNode, key: string): void {
  analysis.refuse(
    'proto.access',
    node,
    `${quote(key)} reaches the prototype of an object. Use Object.create, a class, or a Map.`,
  )
}

function traceBuiltIns(analysis: SourceAnalysis): SourceTrace {
  const free = analysis.scopes.free.filter(
    ({ name }) => !plainValues.has(name) && (languageGlobals.has(name) || sandboxGlobals.has(name)),
  )
  const roots = free.map((node) => ({ path: [node.name], node, isPattern: false }))
  const first = traceFlows(roots, analysis)
  const prototypes = first.flows
    .filter(({ how, path }) => how === 'call' && prototypeReaders.has(path.join('.')))
    .map(({ node }) => ({ path: ['the prototype'], node, isPattern: false }))
  return prototypes.length === 0 ? first : traceFlows([...roots, ...prototypes], analysis)
}

function checkMutations(analysis: SourceAnalysis, trace: SourceTrace): void {
  for (const { how, node, path } of trace.flows) {
    const name = path.join('.')
    if (how === 'write' || how === 'delete') {
      // A name that was given to a built-in may get another value; the built-in stays as it is.
      const isName = node.type === 'Identifier' && analysis.scopes.bindingOf(node) !== undefined
      if (!isName) refuseMutation(analysis, node, name)
    } else if (prototypeWriters.has(name))
      analysis.refuse(
        'proto.mutation',
        node,
        `${name} changes the prototype of an object. Use Object.create or a class.`,
      )
    else if (how === 'call' && node.type === 'CallExpression' && changing.has(name)) {
      const target = node.arguments[0]
      const changed = target === undefined ? undefined : trace.pathOf(target)
      if (target !== undefined && changed !== undefined)
        refuseMutation(analysis, target, changed.join('.'))
    }
  }
}

function refuseMutation(analysis: SourceAnalysis, node: AnyNode, name: string): void {
  analysis.refuse(
    'proto.mutation',
    node,
    `${name} is built in and cannot be changed. Write a function of your own.`,
  )
}
