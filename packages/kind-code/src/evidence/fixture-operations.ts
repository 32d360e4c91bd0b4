import { posix } from 'node:path'
import {
  type PolicyRule,
  ToolPolicyViolation,
  matchesAnyOrigin,
  parseOriginPattern,
} from '@toolcrib/policy'
import { type JsonValue, ToolError } from '@toolcrib/registry'
import type { HostOperation, HostOperations } from '@toolcrib/sandbox'
import type { ExampleFixture, ToolSpec } from '@toolcrib/toolsmaker'
import type { EvidenceOperation } from '@toolcrib/toolsmaker'
import { answerOfFixture, containsJson, exampleResult } from './fixture-answers.ts'
import {
  type HostOperationName,
  hostOperationNames,
  hostOperationPowers,
} from '../operations/host-operation-names.ts'
import { missingPower } from '../operations/host-operation-powers.ts'
import { readObject, readText } from '../operations/operation-arguments.ts'

/** How many operations of one run are written down, and how much of each argument, in characters of JSON. */
const maxOperations = 100
const maxArgumentLength = 1_000

/** What a tool may ask for, as its spec says. */
export type DeclaredPowers = Pick<
  ToolSpec,
  'capabilities' | 'allowedDomains' | 'allowedPaths' | 'callees' | 'secrets'
>

/** A host that is not there: everything is answered from the author's fixtures, and nothing outside is touched. */
export interface SimulatedHost {
  readonly operations: HostOperations
  /** What was asked for so far, in order; the first 100. */
  readonly asked: readonly EvidenceOperation[]
  /** Why the run cannot pass, whatever came out: the tool wanted what it did not declare. */
  readonly refusal: string | undefined
}

/** Makes the host of one run of an example. */
export function simulateHost(
  spec: DeclaredPowers,
  fixtures: readonly ExampleFixture[],
): SimulatedHost {
  const asked: EvidenceOperation[] = []
  let refusal: string | undefined
  const note = (entry: EvidenceOperation): void => {
    if (asked.length < maxOperations) asked.push({ ...entry, argument: shorten(entry.argument) })
  }
  const simulate =
    (operation: HostOperationName): HostOperation =>
    (argument) => {
      const violation = findViolation(operation, argument, spec)
      if (violation !== undefined) {
        refusal ??= violation.message
        note({ operation, argument, answer: 'refused' })
        throw violation
      }
      const fixture = fixtures.find(
        (candidate) =>
          candidate.operation === operation &&
          (candidate.argument === undefined || containsJson(argument, candidate.argument)),
      )
      if (fixture === undefined && operation === 'secrets.ref') {
        note({ operation, argument, answer: 'fixture' })
        return standInFor(readText(operation, readObject(operation, argument), 'name'))
      }
      note({ operation, argument, answer: fixture === undefined ? 'none' : 'fixture' })
      return answer(operation, argument, fixture)
    }
  return {
    operations: Object.fromEntries(hostOperationNames.map((name) => [name, simulate(name)])),
    asked,
    get refusal() {
      return refusal
    },
  }
}

/** Has the form of a placeholder, so that it is refused should it ever reach a real request. */
function standInFor(name: string): string {
  return `tmsec_0000000000000000_${name}_`
}

function answer(
  operation: HostOperationName,
  argument: JsonValue,
  fixture: ExampleFixture | undefined,
): JsonValue {
  if (fixture === undefined) throw noFixture(operation, argument)
  if (fixture.error !== undefined) throw new ToolError('TOOL_FAILED', fixture.error)
  const given = answerOfFixture(operation, fixture.result ?? null, argument)
  if (typeof given !== 'string') return given.value
  throw new ToolError('TOOL_FAILED', `The fixture for ctx.${operation} cannot answer: ${given}.`)
}

function noFixture(operation: HostOperationName, argument: JsonValue): ToolError {
  const wanted = JSON.stringify({
    operation,
    argument: telling(argument),
    result: exampleResult(operation),
  })
  return new ToolError(
    'TOOL_FAILED',
    `No fixture of the example answers ctx.${operation}(${JSON.stringify(argument).slice(0, 300)}). Nothing outside is asked before a tool is approved; add what it would answer to the fixtures, such as ${wanted.slice(0, 600)}.`,
    { data: { operation } },
  )
}

/** The fields that tell one operation from another. */
function telling(argument: JsonValue): JsonValue {
  if (typeof argument !== 'object' || argument === null) return argument
  return Object.fromEntries(
    Object.entries(argument as Readonly<Record<string, JsonValue>>).filter(([field]) =>
      ['method', 'url', 'path', 'name'].includes(field),
    ),
  )
}

function shorten(argument: JsonValue): JsonValue {
  const text = JSON.stringify(argument)
  return text.length <= maxArgumentLength
    ? argument
    : `${text.slice(0, maxArgumentLength).toWellFormed()}… (${text.length} characters)`
}

/** What the tool did not declare, as far as that can be told without touching anything. */
function findViolation(
  operation: HostOperationName,
  argument: JsonValue,
  spec: DeclaredPowers,
): ToolPolicyViolation | undefined {
  const isDeclared = hostOperationPowers[operation].some((needed) =>
    spec.capabilities.includes(needed),
  )
  if (!isDeclared) return missingPower(operation, { declared: spec.capabilities })
  const fields = readObject(operation, argument)
  if (operation === 'http.request') return findOrigin(readText(operation, fields, 'url'), spec)
  if (operation === 'secrets.ref' || operation === 'tools.call') {
    const name = readText(operation, fields, 'name')
    const names =
      operation === 'secrets.ref' ? spec.secrets : spec.callees.map((callee) => callee.name)
    return names.includes(name)
      ? undefined
      : undeclared(operation === 'secrets.ref' ? 'secret.unknown' : 'tools.callee', name)
  }
  const path = readText(operation, fields, 'path')
  return spec.allowedPaths.some((allowed) => isBelow(path, allowed))
    ? undefined
    : undeclared('fs.path', path)
}

function findOrigin(text: string, spec: DeclaredPowers): ToolPolicyViolation | undefined {
  const url = URL.parse(text)
  if (url === null)
    throw new ToolError(
      'TOOL_FAILED',
      `ctx.http.request: ${JSON.stringify(text.slice(0, 200))} is no absolute URL.`,
    )
  const patterns = spec.allowedDomains.map((domain) => parseOriginPattern(domain))
  const found = matchesAnyOrigin(patterns, url)
  if (found === 'match') return undefined
  return undeclared(found === 'domain' ? 'http.domain' : 'http.origin', url.origin)
}

function isBelow(path: string, allowed: string): boolean {
  // Where the workspace lies does not matter for what lies in what.
  const place = posix.resolve('/workspace', path)
  const folder = posix.resolve('/workspace', allowed)
  return place === folder || place.startsWith(`${folder}/`)
}

function undeclared(rule: PolicyRule, tried: string): ToolPolicyViolation {
  const fields: Partial<Record<PolicyRule, string>> = {
    'secret.unknown': 'secrets',
    'tools.callee': 'callees',
    'fs.path': 'allowedPaths',
  }
  return new ToolPolicyViolation({
    rule,
    tried: `use ${JSON.stringify(tried.slice(0, 200))}, which the tool did not declare`,
    howToAsk: `Name it in ${fields[rule] ?? 'allowedDomains'} of the tool, or leave it out of its source.`,
  })
}
