import type { ToolCapability } from '@toolcrib/policy'
import { diffLines } from 'diff'
import { makeVisible } from '@toolcrib/toolsmaker/kind'
import type { ToolSpec } from '@toolcrib/toolsmaker'
import { type CodeDefinition, type CodeLimits, codeDefinitionSchema } from './code-definition.ts'

const maxPlaces = 20

/** The definition of a spec, where it is one. */
export function readDefinition(spec: Pick<ToolSpec, 'definition'>): CodeDefinition | undefined {
  const outcome = codeDefinitionSchema.safeParse(spec.definition)
  return outcome.success ? outcome.data : undefined
}

/** With whose code it runs, and how much it may use up. What it may touch is said by the review, for every kind alike. */
export function describeCodePowers(spec: ToolSpec): readonly string[] {
  const { limits = {}, modules = [] } = readDefinition(spec) ?? {}
  return [
    ...modules.map(
      ({ contentHash, specifier }) =>
        `Runs code of ${specifier} (content hash ${contentHash.slice(0, 12)}…), with the same powers`,
    ),
    ...describeLimits(limits),
  ]
}

function describeLimits({ cpuMs, maxHostCalls, memoryBytes }: CodeLimits): readonly string[] {
  return [
    ...(cpuMs === undefined ? [] : [`May compute for ${cpuMs} ms in one call`]),
    ...(memoryBytes === undefined ? [] : [`May use ${memoryBytes} bytes of memory in one call`]),
    ...(maxHostCalls === undefined
      ? []
      : [`May ask for ${maxHostCalls} operations of the host in one call`]),
  ]
}

/** What can be said of source code without running it: facts, and what they do not show. */
export function describeCodeSteps(spec: ToolSpec): readonly string[] {
  const definition = readDefinition(spec)
  if (definition === undefined) return ['The definition cannot be read; the checks say why.']
  const { form, modules = [], source } = definition
  const places = findOperations(source)
  const named = [...places].map(
    ([operation, lines]) => `Names ctx.${operation} at ${describeLines(lines)}.`,
  )
  const unseen = spec.capabilities.filter((capability) => !isNamed(capability, places))
  return [
    `Runs ${countLines(source)} lines of TypeScript (${source.length} characters) in the sandbox${form === 'factory' ? ', as a tool factory of the AI SDK' : ''}.`,
    ...named,
    ...modules.map(
      ({ source: text, specifier }) => `Imports ${specifier} (${countLines(text)} lines).`,
    ),
    ...(unseen.length === 0
      ? []
      : [
          `Has the power ${unseen.join(', ')} and does not name where it uses it; read the source.`,
        ]),
    'Code can use what it may under other names too; only the powers above bound it.',
  ]
}

function countLines(source: string): number {
  return source.replace(/\r?\n$/, '').split(/\r?\n/).length
}

function findOperations(source: string): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const [index, line] of source.split(/\r?\n/).entries())
    for (const [, group = '', name = ''] of line.matchAll(
      /\b(?:ctx|context)\s*\??\.\s*(http|fs|secrets|tools)\s*\??\.\s*(\w{1,40})/g,
    )) {
      const operation = `${group}.${name}`
      const lines = places.get(operation) ?? []
      if (lines.at(-1) !== index + 1) lines.push(index + 1)
      places.set(operation, lines)
    }
  return places
}

function describeLines(lines: readonly number[]): string {
  const shown = lines.slice(0, maxPlaces).join(', ')
  const more = lines.length > maxPlaces ? ` and ${lines.length - maxPlaces} more` : ''
  return `${lines.length === 1 ? 'line' : 'lines'} ${shown}${more}`
}

const groupOf: Readonly<Record<ToolCapability, string>> = {
  fs_read: 'fs.',
  fs_write: 'fs.',
  http: 'http.',
  secrets: 'secrets.',
  tools: 'tools.',
}

function isNamed(capability: ToolCapability, places: ReadonlyMap<string, unknown>): boolean {
  return [...places.keys()].some((operation) => operation.startsWith(groupOf[capability]))
}

/** What differs from the last approved version, in the parts that only this kind knows. */
export function describeCodeChange(spec: ToolSpec, previous: ToolSpec): readonly string[] {
  const after = readDefinition(spec)
  const before = previous.kind === spec.kind ? readDefinition(previous) : undefined
  if (after === undefined) return []
  if (before === undefined)
    return [`It was a tool of kind "${previous.kind}" before; every line is new.`]
  const sentences = [
    ...describeSourceChange(before.source, after.source),
    ...describeModuleChange(before, after),
    ...describeFormatChange(before.humanReadableFormat, after.humanReadableFormat),
    ...describeLimitChange(before.limits, after.limits),
    ...(before.form === after.form
      ? []
      : [`Its form was "${before.form}" and is "${after.form}".`]),
  ]
  return sentences.length === 0 ? ['The source is the same.'] : sentences
}

function describeSourceChange(before: string, after: string): readonly string[] {
  if (before === after) return []
  const changes = diffLines(before, after, { timeout: 2_000 })
  if (changes === undefined)
    return ['The source differs too much to be compared line by line: read both.']
  const count = (kind: 'added' | 'removed'): number =>
    changes.reduce((sum, change) => sum + (change[kind] ? change.count : 0), 0)
  return [
    `The source changed: ${countOfLines(count('added'))} added, ${countOfLines(count('removed'))} removed.`,
  ]
}

function countOfLines(count: number): string {
  return `${count} ${count === 1 ? 'line' : 'lines'}`
}

function describeModuleChange(before: CodeDefinition, after: CodeDefinition): readonly string[] {
  const old = new Map(before.modules?.map(({ contentHash, specifier }) => [specifier, contentHash]))
  const current = new Map(
    after.modules?.map(({ contentHash, specifier }) => [specifier, contentHash]),
  )
  return [
    ...[...current.keys()].filter((name) => !old.has(name)).map((name) => `Imports ${name} now.`),
    ...[...old.keys()]
      .filter((name) => !current.has(name))
      .map((name) => `Imports ${name} no more.`),
    ...[...current]
      .filter(([name, hash]) => old.has(name) && old.get(name) !== hash)
      .map(([name]) => `Imports ${name} with other content.`),
  ]
}

function describeFormatChange(
  before: string | undefined,
  after: string | undefined,
): readonly string[] {
  if (before === after) return []
  return [`The line about a call was ${showFormat(before)} and is ${showFormat(after)}.`]
}

function showFormat(format: string | undefined): string {
  return format === undefined ? 'the usual one' : makeVisible(JSON.stringify(format))
}

function describeLimitChange(before: CodeLimits = {}, after: CodeLimits = {}): readonly string[] {
  const names = ['cpuMs', 'memoryBytes', 'maxHostCalls'] as const
  return names
    .filter((name) => before[name] !== after[name])
    .map(
      (name) =>
        `The limit ${name} was ${before[name] ?? 'the usual one'} and is ${after[name] ?? 'the usual one'}.`,
    )
}
