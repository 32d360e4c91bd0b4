import type { SandboxModule } from '@toolcrib/sandbox'
import { type ImportSpecifier, parse } from 'es-module-lexer/minimal/js'
import { schemaModule } from './evaluate-schema-guest.ts'
import type { CodeDefinition, PinnedModule } from '../code-definition.ts'
import { factoryModule } from './factory-form-guest.ts'
import { guestModules } from '../modules/guest-modules.ts'
import type { ReadSourceOptions } from '../source/read-source.ts'
import { stripTypes } from '../source/strip-types.ts'

/** The specifier under which a guest has the author's module; positions in it are positions in the source. */
export const authorModuleSpecifier = 'toolcrib:tool'

/** What `ctx.call.purpose` is when a file is asked what it says of itself. No call of a tool has it. */
export const inspection = 'inspect'

// One program to inspect and to run, so that zod is loaded once.
const entry = (hasZod: boolean): string =>
  [
    `import * as file from '${authorModuleSpecifier}'`,
    "import { describeFile, runFactory } from 'toolcrib:factory'",
    hasZod
      ? "import { describeSchema } from 'toolcrib:schema'"
      : 'const describeSchema = (schema) => ({ schema, problems: [] })',
    'export default (input, ctx) =>',
    `  ctx.call.purpose === '${inspection}' ? describeFile(file, ctx, describeSchema) : runFactory(file.default, input, ctx)`,
  ].join('\n')

/**
 * The program that runs a tool of the form `factory`: it makes the tool with a context, lets the schema of its author read the
 * input, and calls `execute`. Errors of the author's code have positions in {@link authorModuleSpecifier}.
 *
 * @throws {SourceSyntaxError} when the types cannot be erased from a source.
 */
export async function factoryEntry(
  { modules = [], source }: Pick<CodeDefinition, 'source' | 'modules'>,
  options: ReadSourceOptions = {},
): Promise<SandboxModule> {
  const imports = await factoryImports(source, modules, options)
  return { source: entry(Object.hasOwn(imports, 'toolcrib:schema')), imports }
}

/** What a file of the form `factory` may import, itself included; zod, which takes a moment to load, only where it does. */
async function factoryImports(
  source: string,
  modules: readonly PinnedModule[],
  options: ReadSourceOptions,
): Promise<Readonly<Record<string, string>>> {
  const erased: Record<string, string> = {}
  for (const module of modules)
    // oxlint-disable-next-line no-await-in-loop -- they are read one after the other anyway
    erased[module.specifier] = await stripTypes(module.source, options)
  erased[authorModuleSpecifier] = await stripTypes(source, options)
  const { ai = '', ...zod } = guestModules()
  return {
    ai,
    ...(Object.values(erased).some(importsZod) ? { ...zod, 'toolcrib:schema': schemaModule } : {}),
    'toolcrib:factory': factoryModule,
    ...erased,
  }
}

/** The imports of a module as they are written; none where it cannot be read. The sandbox will say what is wrong with it. */
export function readImportSpecifiers(source: string): readonly ImportSpecifier[] {
  try {
    return parse(source)[0]
  } catch {
    return []
  }
}

function importsZod(source: string): boolean {
  return readImportSpecifiers(source).some(({ n: specifier }) => specifier === 'zod')
}
