import type { JsonObject, JsonValue } from '@toolcrib/registry'
import type { ToolContent } from '../tool-spec.ts'
import { makeVisible } from '../validation/suspicious-text.ts'
import type { EvidenceRun, ValidationReport } from '../validation/validation-report.ts'
import { findWidePowers } from '../validation/wide-powers.ts'
import { describeModelText } from './model-text.ts'
import type { ToolReview } from './review.ts'
import { showSettings } from './show-settings.ts'
import { tellsWhole } from './told-texts.ts'

/** What of a review follows from content and report alone. */
export type ShownContent = Pick<
  ToolReview,
  | 'name'
  | 'kind'
  | 'powers'
  | 'settings'
  | 'steps'
  | 'definition'
  | 'suspicions'
  | 'risk'
  | 'checks'
  | 'evidence'
  | 'owner'
  | 'modelsRead'
  | 'examples'
  | 'authorSays'
>

/** Writes what of a review follows from content and report alone, with hidden characters made visible. */
export function showContent(
  content: ToolContent,
  report: Pick<ValidationReport, 'checks' | 'evidence' | 'powers' | 'steps' | 'suspicions'>,
): ShownContent {
  const { powers } = report
  return {
    name: content.name,
    kind: content.kind,
    powers: powers.length === 0 ? ['nothing'] : powers.map(makeVisible),
    settings: showSettings(content, powers),
    steps: report.steps.map(makeVisible),
    ...(tellsWhole(report.steps, content.definition)
      ? {}
      : { definition: showJson(content.definition) }),
    suspicions: report.suspicions.map(makeVisible),
    risk: { level: content.risk, reasons: riskReasons(content, report).map(makeVisible) },
    checks: report.checks.map((check) => ({ ...check, message: makeVisible(check.message) })),
    evidence: report.evidence.map(showRun),
    owner: makeVisible(content.owner),
    modelsRead: describeModelText(content),
    examples: showJson(
      content.examples as unknown as JsonValue,
    ) as unknown as ShownContent['examples'],
    authorSays: {
      description: makeVisible(content.description),
      notes: content.examples.flatMap(({ note }) =>
        note === undefined ? [] : [makeVisible(note)],
      ),
    },
  }
}

/** A run as a review shows it: what a tool's code says, takes and gives may hold anything. */
export function showRun(run: EvidenceRun): EvidenceRun {
  return showJson(run as unknown as JsonValue) as unknown as EvidenceRun
}

function showJson(value: JsonValue): JsonValue {
  if (typeof value === 'string') return makeVisible(value)
  if (Array.isArray(value)) return value.map(showJson)
  if (typeof value !== 'object' || value === null) return value
  const shown = new Map<string, JsonValue>()
  for (const [key, entry] of Object.entries(value as JsonObject)) {
    let name = makeVisible(key)
    // A key that only looks like another one takes nothing away from it.
    while (shown.has(name)) name += ' (again)'
    shown.set(name, showJson(entry))
  }
  return Object.fromEntries(shown)
}

function riskReasons(
  content: ToolContent,
  { suspicions }: Pick<ValidationReport, 'suspicions'>,
): readonly string[] {
  return [
    content.capabilities.length === 0
      ? 'it asks for no capability'
      : `it asks for ${content.capabilities.join(', ')}`,
    ...findWidePowers(content),
    `its kind is ${content.kind}`,
    ...(suspicions.length === 0 ? [] : ['its name or text is suspicious']),
    ...(content.visibility === 'shared' ? ['it is for everybody'] : []),
  ]
}
