/**
 * The program of the process that checks types: plain JavaScript for `node -e`, whose only way to the outside is the channel
 * to its parent. Sources are texts in its memory; of the disk it reads the library files of TypeScript alone.
 */
export const typeCheckProgram: string = String.raw`
'use strict'
const { readFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { Worker } = require('node:worker_threads')
const ts = require(process.env.TYPESCRIPT)
const libraries = dirname(process.env.TYPESCRIPT)

const options = typeof ts.createProgram !== 'function' ? undefined : {
  target: ts.ScriptTarget.ES2024,
  lib: ['lib.es2024.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  strict: true,
  // What an author leaves open is their own matter.
  noImplicitAny: false,
  useUnknownInCatchVariables: false,
  skipLibCheck: true,
  types: [],
  noEmit: true,
  maxNodeModuleJsDepth: 0,
}
// Modules that are not there are told by the check of the source; here they are of any type.
const ignoredCodes = new Set([2307, 2792, 7016, 2882])
const libraryFiles = new Map()

const readLibrary = (name) => {
  const file = /^\/lib\/(lib(?:\.[a-z0-9]+)*\.d\.ts)$/.exec(name)?.[1]
  if (file === undefined) return undefined
  if (!libraryFiles.has(name)) {
    let parsed
    try {
      parsed = ts.createSourceFile(name, readFileSync(join(libraries, file), 'utf8'), ts.ScriptTarget.ES2024)
    } catch {}
    libraryFiles.set(name, parsed)
  }
  return libraryFiles.get(name)
}

// Parameters without a type get the declared one, so that the body is checked against the schema.
const declareParameters = (source) => {
  const file = ts.createSourceFile('/tool.ts', source, ts.ScriptTarget.ES2024, true)
  const insertions = []
  const found = findDefault(file)
  const names = ['Input', 'ToolContext']
  for (const [index, parameter] of (found?.parameters ?? []).slice(0, 2).entries()) {
    if (parameter.type !== undefined || parameter.dotDotDotToken !== undefined) continue
    // Between a bare parameter and its arrow stands nothing.
    const isBare = ts.isArrowFunction(found) && parameter.end === found.equalsGreaterThanToken.pos
    const end = (parameter.questionToken ?? parameter.name).end
    if (isBare) insertions.push({ at: parameter.getStart(file), text: '(' })
    insertions.push({ at: end, text: ': ' + names[index] + (isBare ? ')' : '') })
  }
  let text = source
  for (const { at, text: inserted } of insertions.toReversed()) text = text.slice(0, at) + inserted + text.slice(at)
  const place = found ?? file
  return { text, insertions, defaultStart: place.getStart?.(file) ?? 0 }
}

const findDefault = (file) => {
  let name
  for (const statement of file.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) return statement
    if (ts.isExportAssignment(statement)) {
      if (!ts.isIdentifier(statement.expression)) return functionIn(statement.expression)
      name = statement.expression.text
    }
    if (ts.isExportDeclaration(statement) && statement.exportClause !== undefined && ts.isNamedExports(statement.exportClause))
      for (const element of statement.exportClause.elements)
        if (element.name.text === 'default') name = (element.propertyName ?? element.name).text
  }
  for (const statement of file.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) return statement
    if (!ts.isVariableStatement(statement)) continue
    for (const declaration of statement.declarationList.declarations)
      if (declaration.name.text === name && declaration.type === undefined) return functionIn(declaration.initializer)
  }
}

const functionIn = (node) => {
  let inner = node
  while (inner !== undefined && (ts.isParenthesizedExpression(inner) || ts.isSatisfiesExpression(inner))) inner = inner.expression
  return inner !== undefined && (ts.isArrowFunction(inner) || ts.isFunctionExpression(inner)) ? inner : undefined
}

const check = ({ source, declarations, form, modules }) => {
  const isFunction = form === 'function'
  const { defaultStart, insertions, text } = isFunction ? declareParameters(source) : { text: source, insertions: [], defaultStart: 0 }
  const files = new Map([['/declarations.d.ts', declarations], ['/tool.ts', text]])
  if (isFunction)
    files.set('/check.ts', [
      "import run from './tool.ts'",
      'export const takesInput: (input: Input, ctx: ToolContext) => unknown = run',
      'type Returned = Awaited<ReturnType<typeof run>>',
      'declare const returned: unknown extends Returned ? any : Returned',
      'export const givesOutput: Output = returned',
    ].join('\n'))
  const specifiers = new Map(modules.map(({ specifier, source: text }, index) => {
    files.set('/module' + index + '.ts', text)
    return [specifier, '/module' + index + '.ts']
  }))
  const parsed = new Map()
  const host = {
    getSourceFile: (name) => {
      if (!files.has(name)) return readLibrary(name)
      if (!parsed.has(name)) parsed.set(name, ts.createSourceFile(name, files.get(name), ts.ScriptTarget.ES2024))
      return parsed.get(name)
    },
    fileExists: (name) => files.has(name),
    readFile: (name) => files.get(name),
    directoryExists: () => false,
    getDirectories: () => [],
    realpath: (name) => name,
    writeFile: () => undefined,
    getCurrentDirectory: () => '/',
    getDefaultLibFileName: () => '/lib/lib.es2024.d.ts',
    getDefaultLibLocation: () => '/lib',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    resolveTypeReferenceDirectiveReferences: (references) => references.map(() => ({ resolvedTypeReferenceDirective: undefined })),
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text: specifier }) => {
        const name = from === '/check.ts' && specifier === './tool.ts' ? '/tool.ts' : specifiers.get(specifier)
        return { resolvedModule: name === undefined ? undefined : { resolvedFileName: name, extension: '.ts', isExternalLibraryImport: false } }
      }),
  }
  const program = ts.createProgram({ rootNames: [...files.keys()], options: { ...options, allowImportingTsExtensions: true }, host })
  const tool = program.getSourceFile('/tool.ts')
  const originalOf = (position) => {
    let moved = 0
    for (const { at, text: inserted } of insertions) {
      if (at + moved >= position) break
      moved += Math.min(inserted.length, position - at - moved)
    }
    return position - moved
  }
  const original = ts.createSourceFile('/tool.ts', source, ts.ScriptTarget.ES2024)
  const place = (position) => {
    const { line, character } = ts.getLineAndCharacterOfPosition(original, Math.min(position, source.length))
    return { line: line + 1, column: character + 1 }
  }
  // Advice about packages and settings is of no use to the author of a tool.
  const message = ({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, ' ').replace(/ Do you need to (?:install|change).*/, '').replaceAll(/\s+/g, ' ').slice(0, 1000)
  const problems = [...program.getSyntacticDiagnostics(tool), ...program.getSemanticDiagnostics(tool)]
    .filter(({ category, code }) => category === ts.DiagnosticCategory.Error && !ignoredCodes.has(code))
    .slice(0, 50)
    .map((diagnostic) => ({ ...place(originalOf(diagnostic.start ?? 0)), message: message(diagnostic) }))
  const whole = program.getSourceFile('/check.ts')
  if (whole !== undefined && problems.length === 0)
    for (const diagnostic of program.getSemanticDiagnostics(whole).slice(0, 2)) {
      const isOutput = whole.text.lastIndexOf('\n', diagnostic.start) > whole.text.indexOf('Returned =')
      problems.push({
        ...place(defaultStart),
        message: (isOutput ? 'What the function returns does not fit the output schema. ' : 'The function does not take the declared input. ') + message(diagnostic),
      })
    }
  return problems
}

// What is checked may keep the main thread busy for ever, and then nobody there would see that the parent is gone.
const began = new BigInt64Array(new SharedArrayBuffer(8))
new Worker(
  "const { workerData: { began, most, parent } } = require('node:worker_threads');" +
  'setInterval(() => {' +
  '  const start = Atomics.load(began, 0);' +
  "  if (process.ppid !== parent || (start !== 0n && process.hrtime.bigint() - start > most)) process.kill(process.pid, 'SIGKILL')" +
  '}, 250)',
  { eval: true, env: {}, workerData: { began, most: BigInt(process.env.MOST_MS) * 1000000n, parent: Number(process.env.PARENT) } },
).unref()

process.on('message', (request) => {
  let answer
  Atomics.store(began, 0, process.hrtime.bigint())
  try {
    answer = { problems: check(request) }
  } catch (error) {
    answer = { failed: String(error?.message ?? error).slice(0, 500) }
  }
  Atomics.store(began, 0, 0n)
  process.send(answer)
})
process.on('disconnect', () => process.exit())
// The library is read before the first request, whose time is limited.
if (options !== undefined) check({ source: 'export default () => 1', declarations: 'type Input = 1; type Output = 1; type ToolContext = 1', form: 'function', modules: [] })
process.send({ version: String(ts.version), isUsable: options !== undefined })
`
