import type { AnyNode } from 'acorn'
import { checkLiterals } from './check-source-literals.ts'
import type { DefaultExport } from './check-source-shape.ts'
import { hostOperationPowers, isHostOperation } from '../operations/host-operation-names.ts'
import type { SourcePowers } from '../source/source-problem.ts'
import { type SourceAnalysis, quote } from '../source/source-analysis.ts'
import { type FlowRoot, type SourceFlow, traceFlows } from '../source/source-flows.ts'
import { type FunctionNode, isFunction } from '../source/source-scopes.ts'

/** The capabilities of which each part of `ctx` needs one. */
const servicePowers: Readonly<Record<string, readonly string[]>> = {
  http: ['http'],
  fs: ['fs_read', 'fs_write'],
  secrets: ['secrets'],
  tools: ['tools'],
}
/** What is there for everybody. */
const freeServices = new Set(['log', 'sleep', 'call'])
/** What factories of other places expect, and find. */
const factoryServices = new Set(['agent', 'agentId', 'toolName', 'toolCallId', 'abortSignal'])
/** Other rules speak about these. */
const objectNames = new Set(['constructor', '__proto__', 'hasOwnProperty', 'toString', 'valueOf'])

/** Compares what a source uses of `ctx` with what its tool declares. */
export function checkPowers(analysis: SourceAnalysis, exported: DefaultExport): void {
  const { flows } = traceFlows(findRoots(analysis, exported), analysis)
  const used = new Set<string>()
  let isLost = exported.value === undefined || usesArguments(analysis, exported.value)
  for (const flow of flows) {
    const needed = powersOf(flow.path, analysis.powers.form)
    if (flow.path.length === 1 && flow.how === 'escape') isLost = true
    if (needed === undefined) warnUnknown(analysis, flow)
    // A service that was passed on whole may be used in every way.
    for (const power of needed ?? []) used.add(power)
    if (isMissing(analysis, needed)) refuseMissing(analysis, flow, needed)
    checkLiterals(analysis, flow)
  }
  if (!isLost) warnUnused(analysis, exported.node, used)
}

/** The parameters that receive `ctx`: of the default export, or by their name where that is not known. */
function findRoots(
  { powers, tree }: SourceAnalysis,
  { value }: DefaultExport,
): readonly FlowRoot[] {
  const index = powers.form === 'factory' ? 0 : 1
  if (value !== undefined) {
    // Parameters that are gathered in a list are not followed, so nothing is known then.
    const gathered = value.params.slice(0, index).find(({ type }) => type === 'RestElement')
    const parameter = gathered ?? value.params[index]
    return parameter === undefined ? [] : [contextRoot(parameter)]
  }
  return tree.nodes
    .filter((node) => isFunction(node))
    .flatMap(({ params }) => params)
    .filter((node) => node.type === 'Identifier' && node.name === 'ctx')
    .map((node) => contextRoot(node))
}

function contextRoot(node: AnyNode): FlowRoot {
  return { path: ['ctx'], node, isPattern: true }
}

function usesArguments({ scopes }: SourceAnalysis, value: FunctionNode): boolean {
  return scopes.free.some(
    ({ end, name, start }) => name === 'arguments' && start >= value.start && end <= value.end,
  )
}

/** The capabilities of which a use needs one; empty for what is free, `undefined` for what is not there. */
function powersOf(
  [, service, method]: readonly string[],
  form: SourcePowers['form'],
): readonly string[] | undefined {
  if (service === undefined || freeServices.has(service) || objectNames.has(service)) return []
  if (form === 'factory' && factoryServices.has(service)) return []
  const powers = Object.hasOwn(servicePowers, service) ? servicePowers[service] : undefined
  if (service !== 'fs' || method === undefined) return powers
  const operation = `fs.${method}`
  return isHostOperation(operation) ? hostOperationPowers[operation] : powers
}

function isMissing({ powers }: SourceAnalysis, needed: readonly string[] = []): boolean {
  return needed.length > 0 && !needed.some((power) => powers.capabilities.includes(power))
}

function refuseMissing(
  analysis: SourceAnalysis,
  { node, path }: SourceFlow,
  needed: readonly string[] = [],
): void {
  const name = path.slice(0, 3).join('.')
  analysis.refuse(
    'capability.missing',
    node,
    `${name} needs the capability ${needed.map((power) => quote(power)).join(' or ')}, which this tool does not declare. Declare it, or do without.`,
  )
}

function warnUnknown(analysis: SourceAnalysis, { node, path }: SourceFlow): void {
  analysis.warn(
    'capability.missing',
    node,
    `ctx has no ${quote(path[1] ?? '')}; it has http, fs, secrets, tools, call, log and sleep.`,
  )
}

function warnUnused(analysis: SourceAnalysis, node: AnyNode, used: ReadonlySet<string>): void {
  const unused = analysis.powers.capabilities.filter((power) => !used.has(power))
  if (unused.length > 0)
    analysis.warn(
      'capability.unused',
      node,
      `The tool declares ${unused.map((power) => quote(power)).join(', ')} and uses nothing of it. Declare only what is used.`,
    )
}
