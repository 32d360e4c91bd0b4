import {
  type ToolRegistry,
  type ToolRisk,
  ToolError,
  formatIssues,
  validateWithSchema,
} from '@toolcrib/registry'
import { askKind } from './ask-kind.ts'
import { checkCapabilityArguments } from './capability-check.ts'
import { readChecks, readEvidence } from './kind-answers.ts'
import { type ProposalSentences, describeProposal } from './describe-proposal.ts'
import { describeCalleePowers } from './callee-powers.ts'
import { describeRisk } from './implied-risk.ts'
import { type ContentInUse, type IsVisible, checkCallees } from './pin-callees.ts'
import {
  findContentSuspicions,
  findDefinitionSuspicions,
  findRefusedCharacters,
} from './suspicious-text.ts'
import { findNameSuspicions } from '../proposals/suspicious-name.ts'
import type { ToolKind, ToolProposal } from '../tool-kind.ts'
import type { ToolContent } from '../tool-spec.ts'
import type { EvidenceRun, ValidationCheck, ValidationReport } from './validation-report.ts'

/** What a proposal is checked against. */
export interface ValidationOptions {
  readonly kind: ToolKind
  readonly registry: ToolRegistry
  readonly contentInUse: ContentInUse
  readonly isVisible: IsVisible
  /** As the author said. */
  readonly declaredRisk: ToolRisk
  /** Names that the new one could be mistaken for. */
  readonly otherNames: Iterable<string>
  readonly privateAddresses: readonly string[]
  readonly kindTimeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Checks and tries a proposal. What is wrong with it, a failing kind included, is in the report. */
export async function validateProposal(
  proposal: ToolProposal,
  options: ValidationOptions,
): Promise<ValidationReport> {
  const { declaredRisk, kind, otherNames, privateAddresses } = options
  const { spec } = proposal
  const suspicions = [
    ...findNameSuspicions(spec.name, otherNames),
    ...findContentSuspicions(spec),
    ...findDefinitionSuspicions(spec.definition),
  ]
  const own = [
    checkText(spec, otherNames),
    checkCapabilityArguments(spec, privateAddresses),
    describeRisk(declaredRisk, spec, kind),
    checkCallees(spec, options),
    ...describeCalleePowers(spec, options),
    await checkExamples(spec),
  ]
  const answers = await askAll(proposal, kind, options)
  const checks = [...own, ...answers.checks]
  // Running a definition that its own checks refuse would only repeat what they say.
  const sound = checks.every(({ pass }) => pass)
  const tried = sound ? await tryOut(proposal, kind, options) : { checks: [], evidence: [] }
  const all = [...checks, ...tried.checks]
  return {
    pass: all.every(({ pass }) => pass),
    checks: all,
    evidence: tried.evidence,
    powers: answers.powers,
    steps: answers.steps,
    change: answers.change,
    suspicions,
  }
}

function checkText(spec: ToolContent, otherNames: Iterable<string>): ValidationCheck {
  const lower = spec.name.toLowerCase()
  const twin = [...otherNames].find(
    (other) => other.length === lower.length && other.toLowerCase() === lower,
  )
  const problems = [
    ...(twin === undefined
      ? []
      : [`name: differs from ${twin} only in capital letters; choose another name`]),
    ...findRefusedCharacters(spec),
  ]
  return {
    name: 'spec',
    pass: problems.length === 0,
    message:
      problems.length === 0 ? 'name, schemas and fields follow the rules' : problems.join('; '),
  }
}

async function checkExamples(spec: ToolContent): Promise<ValidationCheck> {
  const problems: string[] = []
  for (const [index, { input }] of spec.examples.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- JSON Schemas answer at once
    const outcome = await validateWithSchema(spec.inputSchema, input)
    if (!outcome.valid) problems.push(`examples[${index}].input: ${formatIssues(outcome.issues)}`)
  }
  return {
    name: 'examples',
    pass: problems.length === 0,
    message: problems.length === 0 ? describeCount(spec.examples.length) : problems.join('; '),
  }
}

function describeCount(count: number): string {
  return count === 0 ? 'there are none' : `each of the ${count} inputs matches the input schema`
}

interface Answers extends ProposalSentences {
  readonly checks: readonly ValidationCheck[]
}

async function askAll(
  proposal: ToolProposal,
  kind: ToolKind,
  { kindTimeoutMs: timeoutMs, signal }: ValidationOptions,
): Promise<Answers> {
  const name = kind.kind
  const question = { kind: name, timeoutMs, signal }
  try {
    const checks = readChecks(
      name,
      await askKind({ ...question, hook: 'check' }, (options) => kind.check(proposal, options)),
    )
    // A kind may not understand a definition that failed its checks, so it is not asked to explain it.
    if (checks.some(({ pass }) => !pass)) return { checks, powers: [], steps: [], change: [] }
    return { checks, ...(await describeProposal(proposal, kind, { timeoutMs, signal })) }
  } catch (error) {
    return { checks: [failedCheck(error, signal)], powers: [], steps: [], change: [] }
  }
}

async function tryOut(
  proposal: ToolProposal,
  kind: ToolKind,
  { kindTimeoutMs: timeoutMs, signal }: ValidationOptions,
): Promise<{ checks: readonly ValidationCheck[]; evidence: readonly EvidenceRun[] }> {
  try {
    const evidence = readEvidence(
      kind.kind,
      await askKind({ kind: kind.kind, hook: 'gatherEvidence', timeoutMs, signal }, (options) =>
        kind.gatherEvidence(proposal, options),
      ),
      proposal.spec,
    )
    return { checks: [summarise(evidence, proposal.spec)], evidence }
  } catch (error) {
    return { checks: [failedCheck(error, signal)], evidence: [] }
  }
}

function summarise(evidence: readonly EvidenceRun[], spec: ToolContent): ValidationCheck {
  const name = 'evidence'
  const authored = evidence.filter(({ origin }) => origin === 'author').length
  if (authored < spec.examples.length)
    return {
      name,
      pass: false,
      message: `only ${authored} of ${spec.examples.length} examples ran`,
    }
  const failed = evidence.filter(({ pass }) => !pass)
  if (failed.length === 0)
    return { name, pass: true, message: `${evidence.length} runs, all as they should be` }
  const shown = failed.slice(0, 3).map(describeFailure)
  return {
    name,
    pass: false,
    message: `${failed.length} of ${evidence.length} runs failed: ${shown.join('; ')}`,
  }
}

function describeFailure({ actual, error, expected, input }: EvidenceRun): string {
  const outcome =
    error ?? `gave ${brief(actual)}${expected === undefined ? '' : `, expected ${brief(expected)}`}`
  return `${brief(input)} ${outcome}`
}

function brief(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200).toWellFormed().toWellFormed()
}

function failedCheck(error: unknown, signal: AbortSignal | undefined): ValidationCheck {
  signal?.throwIfAborted()
  if (!ToolError.is(error, 'KIND_FAILED')) throw error
  return { name: 'kind', pass: false, message: error.message }
}
