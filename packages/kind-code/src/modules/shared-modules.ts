import type { ToolError } from '@toolcrib/registry'
import { toolsmakerError } from '@toolcrib/toolsmaker/kind'
import type { ToolSpec } from '@toolcrib/toolsmaker'
import { type CodeDefinition, type PinnedModule, codeDefinitionSchema } from '../code-definition.ts'
import { readSource } from '../source/read-source.ts'

/** An approved version of a code tool whose exports others may import. */
export interface FoundModule {
  /** The content hash of that version. */
  readonly contentHash: string
  /** Its source in TypeScript. */
  readonly source: string
}

/** Finds a version that may be imported at this moment: approved, not revoked, a plain function module. */
export type FindModule = (
  name: string,
  version: number,
) => Promise<FoundModule | undefined> | FoundModule | undefined

/** What others may import of an approved version; `undefined` where it is no module of functions. */
export function toFoundModule(
  spec: Pick<ToolSpec, 'kind' | 'definition' | 'contentHash'>,
): FoundModule | undefined {
  const definition = codeDefinitionSchema.safeParse(spec.definition)
  if (spec.kind !== 'code' || !definition.success || definition.data.form !== 'function')
    return undefined
  return { contentHash: spec.contentHash, source: definition.data.source }
}

const specifierPattern = /^toolcrib:lib\/([a-zA-Z0-9_-]{1,64})@([1-9][0-9]{0,8})$/
const maxModules = 20

/** The name and version that a specifier names; `undefined` when it names no shared module. */
function readSpecifier(
  specifier: string,
): { readonly name: string; readonly version: number } | undefined {
  const [, name, version] = specifierPattern.exec(specifier) ?? []
  return name === undefined || version === undefined
    ? undefined
    : { name, version: Number(version) }
}

/**
 * The specifiers of shared modules that a source imports or re-exports, in order.
 *
 * @throws {SourceSyntaxError} when the source cannot be read.
 */
async function findSharedImports(
  source: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const specifiers = await readSource<'imports'>({ name: 'imports', source }, { signal })
  return specifiers.filter((specifier) => readSpecifier(specifier) !== undefined)
}

/**
 * The `modules` of a definition for a source: every shared module that it imports, and that these import, as it is now.
 *
 * @throws {ToolError} REQUEST_INVALID when one is not there, they import each other in a circle, or there are more than 20.
 * @throws {SourceSyntaxError} when a source cannot be read.
 */
export async function pinModules(
  source: string,
  findModule: FindModule,
  signal?: AbortSignal,
): Promise<readonly PinnedModule[]> {
  const pinned = new Map<string, PinnedModule>()
  const visit = async (text: string, chain: readonly string[]): Promise<void> => {
    for (const specifier of await findSharedImports(text, signal)) {
      if (chain.includes(specifier))
        throw refuse(specifier, `modules import each other: ${[...chain, specifier].join(' → ')}`)
      if (pinned.has(specifier)) continue
      // oxlint-disable-next-line no-await-in-loop -- few, and the order must be the same each time
      const found = await find(specifier, findModule)
      if (found === undefined)
        throw refuse(specifier, 'there is no approved version of that name and number')
      pinned.set(specifier, { specifier, contentHash: found.contentHash, source: found.source })
      if (pinned.size > maxModules)
        throw refuse(specifier, `more than ${maxModules} modules are imported`)
      // oxlint-disable-next-line no-await-in-loop -- as above
      await visit(found.source, [...chain, specifier])
    }
  }
  await visit(source, [])
  return [...pinned.values()].toSorted((left, right) => (left.specifier < right.specifier ? -1 : 1))
}

async function find(specifier: string, findModule: FindModule): Promise<FoundModule | undefined> {
  const named = readSpecifier(specifier)
  return named === undefined ? undefined : findModule(named.name, named.version)
}

/** What is wrong with the modules of a definition at this moment; empty when nothing is. */
export async function describeModuleProblems(
  { modules = [], source }: Pick<CodeDefinition, 'modules' | 'source'>,
  findModule: FindModule | undefined,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const problems: string[] = []
  const bySpecifier = new Map(modules.map((module) => [module.specifier, module]))
  if (bySpecifier.size !== modules.length) problems.push('A module is pinned twice.')
  for (const module of modules) {
    // oxlint-disable-next-line no-await-in-loop -- few
    const problem = await describeStaleModule(module, findModule)
    if (problem !== undefined) problems.push(problem)
  }
  const reached = new Set<string>()
  const visit = async (text: string, chain: readonly string[]): Promise<void> => {
    for (const specifier of await findSharedImports(text, signal)) {
      if (chain.includes(specifier))
        problems.push(`Modules import each other: ${[...chain, specifier].join(' → ')}.`)
      if (reached.has(specifier)) continue
      reached.add(specifier)
      const module = bySpecifier.get(specifier)
      if (module === undefined) problems.push(`${specifier} is imported and not pinned in modules.`)
      // oxlint-disable-next-line no-await-in-loop -- few, and the order must be the same each time
      else await visit(module.source, [...chain, specifier])
    }
  }
  await visit(source, [])
  for (const { specifier } of modules)
    if (!reached.has(specifier)) problems.push(`${specifier} is pinned and never imported.`)
  return problems
}

/** Why a pinned module cannot be used now; `undefined` when it can. */
export async function describeStaleModule(
  { contentHash, source, specifier }: PinnedModule,
  findModule: FindModule | undefined,
): Promise<string | undefined> {
  const found = findModule === undefined ? undefined : await find(specifier, findModule)
  if (found === undefined) return `${specifier} is no approved version now.`
  return found.contentHash === contentHash && found.source === source
    ? undefined
    : `${specifier} is not the version that was pinned.`
}

function refuse(specifier: string, problem: string): ToolError<string> {
  return toolsmakerError(
    'REQUEST_INVALID',
    `The module ${specifier} cannot be imported: ${problem}.`,
    {
      data: { field: 'modules', specifier },
    },
  )
}
