import { z } from 'zod'
import { literal } from './expression.ts'
import { crmRequest } from './services.ts'
import { now, outcomeName, type Step, type ToolPlan } from './tool-workflow.ts'

/** What a template that writes one draft for each entry of a list gives. @param idName such as `leadId` */
export function draftsOutput(idName: string): z.ZodType {
  return z.strictObject({
    drafted: z.int().min(0).describe('How many drafts were saved.'),
    drafts: z.array(z.strictObject({ [idName]: z.string(), draftId: z.string().optional() })),
    failed: z.int().min(0).describe('How many drafts the CRM did not take.'),
    failures: z.array(
      z.strictObject({
        [idName]: z.string(),
        code: z.string(),
        message: z.string(),
        status: z.int().optional(),
        reason: z.string().optional(),
      }),
    ),
    skipped: z
      .array(z.strictObject({ [idName]: z.string().optional(), reason: z.string() }))
      .describe('Entries that a draft was due for, and that lack what it takes.'),
    remaining: z
      .int()
      .min(0)
      .describe('How many were left for the next run, for there were too many.'),
  })
}

export const maxDraftsField: z.ZodType<number> = z
  .int()
  .min(1)
  .max(500)
  .describe('How many drafts one run writes; the rest is left for the next one, and counted.')

interface DraftsPlan {
  /** Such as `leads`, also the name of the list in the CRM's answer. */
  readonly list: string
  readonly listPath: string
  readonly status: string
  readonly idName: string
  /** Code for whether a draft is due for the entry in `entry`, at the moment `now` in milliseconds. */
  readonly isDue: string
  /** Code that says what `entry` lacks, or gives "". */
  readonly lacks: string
  /** Code that gives the text for `entry`. */
  readonly text: string
  readonly draftsPath: string
  readonly maxDrafts: number
}

/** Steps that read a list, choose entries, and save one draft of a message for each in the CRM. */
export function draftsSteps(
  customizations: Parameters<typeof crmRequest>[0],
  plan: DraftsPlan,
): Pick<ToolPlan, 'steps' | 'result' | 'outcome'> {
  const { list, idName } = plan
  const choose = `Choose ${list}`
  const counted = '$("Count drafts")'
  const steps: Step[] = [
    {
      kind: 'request',
      name: `Get ${list}`,
      request: crmRequest(customizations, plan.listPath, {
        method: 'GET',
        query: { status: plan.status },
      }),
      accepts: `Array.isArray($json.body?.${list}) && $json.body.${list}.every((entry) => entry !== null && typeof entry === "object")`,
    },
    { kind: 'json', name: choose, code: chooseCode(plan) },
    { kind: 'when', name: 'Any to write to?', condition: '$json.chosen.length > 0' },
    { kind: 'split', name: 'One by one', field: 'chosen' },
    {
      kind: 'requests',
      name: 'Save draft',
      request: crmRequest(customizations, plan.draftsPath, {
        method: 'POST',
        body: `{ ${idName}: $json.id, channel: "whatsapp", to: $json.phone, text: $json.text }`,
        itemKey: '$json.id',
      }),
    },
    { kind: 'json', name: 'Count drafts', code: countCode(choose, idName) },
  ]
  return {
    steps,
    outcome: {
      failures: `${counted}.isExecuted ? ${counted}.first().json.failures : []`,
      succeeded: `${counted}.isExecuted ? ${counted}.first().json.drafted : 0`,
    },
    result: `{ drafted: 0, drafts: [], failed: 0, failures: [], ...(${counted}.isExecuted ? ${counted}.first().json : {}), skipped: $(${literal(choose)}).first().json.skipped, remaining: $(${literal(choose)}).first().json.remaining }`,
  }
}

/** Sorts what is due into what is written to, what lacks something, and what is left for the next run. */
function chooseCode({ list, idName, isDue, lacks, text, maxDrafts }: DraftsPlan): string {
  const whatLacks = String.raw`(entry) => entry.id === undefined || entry.id === null || entry.id === "" ? "no id" : !/^\+[1-9][0-9]{6,14}$/.test(entry.phone) ? "no phone number in E.164" : ${lacks}`
  const due = `$json.body.${list}.filter((entry) => ${isDue}).map((entry) => ({ entry, lack: lacks(entry) }))`
  const chosen = `whole.slice(0, ${maxDrafts}).map(({ entry }) => ({ id: String(entry.id), phone: entry.phone, text: ${text} }))`
  const skipped = `due.filter(({ lack }) => lack !== "").map(({ entry, lack }) => ({ ${idName}: entry.id === undefined || entry.id === null ? undefined : String(entry.id), reason: lack }))`
  return [
    `((now, lacks) => ((due) => ((whole) => ({ chosen: ${chosen}, remaining: Math.max(0, whole.length - ${maxDrafts}), skipped: ${skipped} }))`,
    `(due.filter(({ lack }) => lack === "")))(${due}))(${now}, ${whatLacks})`,
  ].join('')
}

function countCode(choose: string, idName: string): string {
  const outcomes = `$(${literal(outcomeName('Save draft'))}).all().map((item, index) => ({ id: $(${literal(choose)}).first().json.chosen[index].id, draftId: item.json.id, failure: item.json.error === undefined ? item.json.failure : { code: "workflow_failed", message: String(item.json.error) } }))`
  return `((drafts, failures) => ({ drafted: drafts.length, drafts, failed: failures.length, failures }))(...((outcomes) => [outcomes.filter(({ failure }) => !failure).map(({ id, draftId }) => ({ ${idName}: id, draftId })), outcomes.filter(({ failure }) => failure).map(({ id, failure }) => ({ ${idName}: id, ...failure }))])(${outcomes}))`
}
