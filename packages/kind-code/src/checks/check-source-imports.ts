import type { AnyNode } from 'acorn'
import { type SourceAnalysis, quote } from '../source/source-analysis.ts'

const moduleForm = /^toolcrib:lib\/[a-zA-Z0-9_-]{1,64}@[1-9][0-9]{0,8}$/
/** What the sandbox has in place of two packages, for tool factories only. */
const factoryModules = new Set(['ai', 'zod'])

const insteadOfModule: Readonly<Record<string, string>> = {
  fs: 'Files are read and written through ctx.fs.',
  'fs/promises': 'Files are read and written through ctx.fs.',
  http: 'Requests are made through ctx.http.',
  https: 'Requests are made through ctx.http.',
  net: 'There are no sockets; requests are made through ctx.http.',
  tls: 'There are no sockets; requests are made through ctx.http.',
  dgram: 'There are no sockets.',
  child_process: 'No process can be started; other tools are called through ctx.tools.',
  ai: 'Only a tool factory may import it.',
  zod: 'Only a tool factory may import it; the input is checked before the tool runs.',
}

/** Checks what a module imports. */
export function checkImports(analysis: SourceAnalysis): void {
  for (const node of analysis.tree.nodes)
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
        checkSpecifier(analysis, node, String(node.source.value))
        break
      case 'ExportNamedDeclaration':
        if (node.source) checkSpecifier(analysis, node, String(node.source.value))
        break
      case 'ImportExpression':
        analysis.refuse(
          'import.dynamic',
          node,
          'import() is not there. Import approved modules at the top of the source.',
        )
        break
      case 'MetaProperty':
        if (node.meta.name === 'import')
          analysis.refuse('import.meta', node, 'import.meta is not there. A tool has no address.')
        break
      case 'CallExpression':
        checkRequire(analysis, node.callee, node.arguments[0])
        break
      default:
    }
}

function checkSpecifier(analysis: SourceAnalysis, node: AnyNode, specifier: string): void {
  const { form, modules } = analysis.powers
  if (modules.includes(specifier)) return
  if (form === 'factory' && factoryModules.has(specifier)) return
  if (moduleForm.test(specifier))
    analysis.refuse(
      'import.unpinned',
      node,
      `${quote(specifier)} is not among the modules of this tool. Name an approved version of it.`,
    )
  else
    analysis.refuse(
      'import.forbidden',
      node,
      `${quote(specifier)} cannot be imported. ${insteadOf(specifier)}`,
    )
}

function checkRequire(
  analysis: SourceAnalysis,
  callee: AnyNode,
  argument: AnyNode | undefined,
): void {
  if (callee.type !== 'Identifier' || callee.name !== 'require' || argument === undefined) return
  if (analysis.scopes.bindingOf(callee) !== undefined) return
  const specifier = analysis.constants.textOf(argument)
  if (specifier !== undefined)
    analysis.refuse(
      'import.forbidden',
      argument,
      `${quote(specifier)} cannot be imported. ${insteadOf(specifier)}`,
    )
}

function insteadOf(specifier: string): string {
  const name = specifier.replace(/^node:/, '')
  if (Object.hasOwn(insteadOfModule, name)) return insteadOfModule[name] ?? ''
  if (specifier.startsWith('toolcrib:'))
    return 'Write "toolcrib:lib/<name>@<version>" with a version that was approved.'
  return 'Only "toolcrib:lib/<name>@<version>" can; where only its types are meant, write "import type".'
}
