import type { SandboxModule } from '@toolcrib/sandbox'
import { schemaModule } from './evaluate-schema-guest.ts'
import type { CodeDefinition } from './code-definition.ts'
import { factoryModule } from './factory-form-guest.ts'
import { guestModules } from './guest-modules.ts'
import { stripTypes } from './strip-types.ts'

/** The specifier under which a guest has the author's module; positions in it are positions in the source. */
export const authorModuleSpecifier = 'toolcrib:tool'

const entry = [
  `import factory from '${authorModuleSpecifier}'`,
  "import { runFactory } from 'toolcrib:factory'",
  'export default (input, ctx) => runFactory(factory, input, ctx)',
].join('\n')

/**
 * The program that runs a tool of the form `factory`: it makes the tool with a context, lets the schema of its author read the
 * input, and calls `execute`. Errors of the author's code have positions in {@link authorModuleSpecifier}.
 *
 * @throws {SourceSyntaxError} when the types cannot be erased from a source.
 */
export function factoryEntry({
  modules = [],
  source,
}: Pick<CodeDefinition, 'source' | 'modules'>): SandboxModule {
  return { source: entry, imports: factoryImports(source, modules) }
}

/** Everything that a file of the form `factory` may import, itself included. */
export function factoryImports(
  source: string,
  modules: CodeDefinition['modules'] = [],
): Readonly<Record<string, string>> {
  return {
    ...guestModules(),
    'toolcrib:factory': factoryModule,
    'toolcrib:schema': schemaModule,
    ...Object.fromEntries(
      modules.map((module) => [module.specifier, stripTypes(module.source)] as const),
    ),
    [authorModuleSpecifier]: stripTypes(source),
  }
}
