import { ToolError } from '@toolcrib/registry'
import { toolPolicyOf } from '@toolcrib/toolsmaker'
import type { ToolSpec } from '@toolcrib/toolsmaker'
import type { ValidationCheck } from '@toolcrib/toolsmaker'
import { checkSource } from './check-source.ts'
import { type CodeDefinition, codeDefinitionSchema } from '../code-definition.ts'
import type { CodePowers } from '../operations/code-powers.ts'
import { describeFixtureProblem } from '../evidence/fixture-answers.ts'
import { hostOperationPowers, isHostOperation } from '../operations/host-operation-names.ts'
import { describeFormatProblems } from '../tool-file/human-readable-format.ts'
import { type FindModule, describeModuleProblems } from '../modules/shared-modules.ts'
import type { SourcePowers, SourceProblem } from '../source/source-problem.ts'
import type { TypeChecker } from '../types/type-checker.ts'

/** What definitions are checked against. */
export interface CodeCheckOptions {
  readonly powers: CodePowers | undefined
  readonly typeChecker: TypeChecker | undefined
  readonly findModule: FindModule | undefined
  readonly signal: AbortSignal
}

const mostProblems = 30

/** Checks a definition without running it. */
export async function checkCode(
  spec: ToolSpec,
  options: CodeCheckOptions,
): Promise<readonly ValidationCheck[]> {
  const parsed = codeDefinitionSchema.safeParse(spec.definition)
  if (!parsed.success)
    return parsed.error.issues.slice(0, mostProblems).map(({ message, path }) => ({
      name: 'definition',
      pass: false,
      message: `definition${path.map((step) => `.${String(step)}`).join('')}: ${message}`,
    }))
  const definition = parsed.data
  const problems = await findSourceProblems(spec, definition, options.signal)
  const isReadable = problems.every(({ severity }) => severity === 'warning')
  return [
    {
      name: 'definition',
      pass: true,
      message: 'language, form, source and limits follow the rules',
    },
    ...problems.slice(0, mostProblems).map(problemCheck),
    ...(!isReadable
      ? []
      : [
          { name: 'source', pass: true, message: 'The source keeps to what the sandbox has.' },
          // Modules and types of a source that cannot be read would only repeat what is said of it.
          listCheck('modules', {
            problems: await describeModuleProblems(definition, options.findModule, options.signal),
            fine: describeModuleCount(definition),
          }),
          ...(await checkTypes(spec, definition, options)),
        ]),
    checkFormat(spec, definition),
    checkExamples(spec),
    listCheck('fixtures', {
      problems: findFixtureProblems(spec),
      fine: 'Every fixture can answer.',
    }),
    checkPowers(spec, options.powers),
  ]
}

async function findSourceProblems(
  spec: ToolSpec,
  definition: CodeDefinition,
  signal: AbortSignal,
): Promise<readonly SourceProblem[]> {
  const { form, modules = [], source } = definition
  const specifiers = modules.map(({ specifier }) => specifier)
  const own: SourcePowers = {
    form,
    capabilities: spec.capabilities,
    allowedPaths: spec.allowedPaths,
    allowedDomains: spec.allowedDomains,
    secrets: spec.secrets,
    callees: spec.callees.map(({ name }) => name),
    modules: specifiers,
  }
  const found = [...(await checkSource(source, own, { signal }))]
  const ofModule: SourcePowers = { ...own, form: 'function' }
  for (const { source: text, specifier: module } of modules)
    // oxlint-disable-next-line no-await-in-loop -- they are read one after the other anyway, so that others get their turn
    found.push(...(await checkSource(text, ofModule, { module, signal })))
  return found
}

function problemCheck(problem: SourceProblem): ValidationCheck {
  const { column, line, message, module, rule, severity } = problem
  const place = `${module === undefined ? '' : `${module}, `}line ${line}, column ${column}`
  const isWarning = severity === 'warning'
  return {
    name: rule,
    pass: isWarning,
    message: `${isWarning ? 'Look at ' : ''}${place}: ${message}`,
  }
}

function notTypeChecked(why: string): ValidationCheck {
  return { name: 'types', pass: true, message: `not type-checked: ${why}` }
}

async function checkTypes(
  spec: ToolSpec,
  definition: CodeDefinition,
  { signal, typeChecker }: CodeCheckOptions,
): Promise<readonly ValidationCheck[]> {
  if (typeChecker === undefined) return [notTypeChecked('this host has no type checker.')]
  const outcome = await typeChecker.check({ spec, definition, signal })
  if ('notChecked' in outcome) return [notTypeChecked(outcome.notChecked)]
  return outcome.problems.length === 0
    ? [{ name: 'types', pass: true, message: 'The types fit the declared schemas.' }]
    : outcome.problems.slice(0, mostProblems).map(problemCheck)
}

function checkFormat(spec: ToolSpec, { humanReadableFormat }: CodeDefinition): ValidationCheck {
  return listCheck('human-readable-format', {
    problems:
      humanReadableFormat === undefined
        ? []
        : describeFormatProblems(humanReadableFormat, spec.inputSchema),
    fine:
      humanReadableFormat === undefined
        ? 'There is none; calls are shown with their input.'
        : 'Every value that it names is one of the input.',
  })
}

function checkExamples({ examples }: ToolSpec): ValidationCheck {
  return {
    name: 'can-be-tried',
    pass: examples.length > 0,
    message:
      examples.length > 0
        ? `${examples.length} ${examples.length === 1 ? 'example is' : 'examples are'} tried in the sandbox.`
        : 'code needs at least one passing example. Add an input, what it should give, and fixtures for what it asks of the host.',
  }
}

function findFixtureProblems(spec: ToolSpec): readonly string[] {
  return spec.examples.flatMap(({ fixtures = [] }, index) =>
    fixtures.flatMap((fixture, position) => {
      const place = `examples[${index}].fixtures[${position}]`
      const problem = describeFixtureProblem(fixture)
      if (problem !== undefined) return [`${place}: ${problem}.`]
      const { operation } = fixture
      if (!isHostOperation(operation)) return []
      const needed = hostOperationPowers[operation]
      return needed.some((capability) => spec.capabilities.includes(capability))
        ? []
        : [
            `${place}: ${operation} needs the capability ${needed.join(' or ')}, which the tool does not ask for.`,
          ]
    }),
  )
}

function checkPowers(spec: ToolSpec, powers: CodePowers | undefined): ValidationCheck {
  if (spec.capabilities.length === 0)
    return { name: 'operator-policy', pass: true, message: 'It asks for no power.' }
  return listCheck('operator-policy', {
    problems: findExcess(spec, powers),
    fine: 'What it asks for is within what the operator allows code tools.',
  })
}

function findExcess(spec: ToolSpec, powers: CodePowers | undefined): readonly string[] {
  if (powers === undefined)
    return ['This host gives code tools no powers; leave the capabilities out.']
  try {
    return powers
      .describeExcess(toolPolicyOf(spec))
      .map((sentence) => `More than the operator allows code tools: ${sentence}.`)
  } catch (error) {
    if (!ToolError.is(error, 'POLICY_INVALID')) throw error
    return [error.message]
  }
}

function describeModuleCount({ modules = [] }: CodeDefinition): string {
  return modules.length === 0
    ? 'It imports no shared modules.'
    : `Each of the ${modules.length} imported modules is an approved version.`
}

function listCheck(
  name: string,
  { fine, problems }: { readonly problems: readonly string[]; readonly fine: string },
): ValidationCheck {
  return {
    name,
    pass: problems.length === 0,
    message: problems.length === 0 ? fine : problems.slice(0, mostProblems).join(' '),
  }
}
