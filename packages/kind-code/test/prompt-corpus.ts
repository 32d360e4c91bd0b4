import type { ToolBuildRequest, ToolKind } from '@toolcrib/toolsmaker'
import { checkSource } from '../src/checks/check-source.ts'
// @boundaries-ignore tests of the packages share what sets the scene
import { createAdderKind } from '../../toolsmaker/test/adder-kind.ts'
// @boundaries-ignore tests of the packages share what sets the scene
import { type Workshop, agent, openWorkshop } from '../../toolsmaker/test/bench-of-tests.ts'
import corpus from './prompt-corpus.json' with { type: 'json' }

// Attacks on the reader, the record and the person, through what an author may write. What lies in the template of the code
// kind is tested with it.

/** A case of the corpus; `{ repeat: [start, text, count], tail }` stands for a long text. */
interface Case {
  readonly id: string
  readonly stage: string
  readonly what: string
  readonly data: Readonly<Record<string, unknown>>
  readonly expected: string
}

const cases = new Map((corpus as readonly Case[]).map((entry) => [entry.id, entry]))
const tried = new Set<string>()

export function dataOf(id: string): Readonly<Record<string, unknown>> {
  const found = cases.get(id)
  if (found === undefined) throw new Error(`There is no case ${id}`)
  tried.add(id)
  return found.data
}

/** The cases of some stages that no test has asked for. */
export function untriedOf(...stages: readonly string[]): readonly string[] {
  return [...cases.values()].flatMap(({ id, stage }) =>
    stages.includes(stage) && !tried.has(id) ? [id] : [],
  )
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  const { repeat = ['', '', 0], tail = '' } = value as {
    repeat?: readonly [string, string, number]
    tail?: string
  }
  return repeat[0] + repeat[1].repeat(repeat[2]) + tail
}

/** A kind with a source that people read, checked as that of code tools is. */
const sourceKind: ToolKind = createAdderKind({
  kind: 'code',
  check: async ({ spec }) => {
    const source = sourceOf(spec.definition)
    const none = { allowedPaths: [], allowedDomains: [], secrets: [], callees: [], modules: [] }
    const problems = await checkSource(source, { form: 'function', capabilities: [], ...none })
    const hidden = problems.filter(
      ({ rule, severity }) => rule === 'hidden-characters' && severity === 'error',
    )
    return [{ name: 'source', pass: hidden.length === 0, message: JSON.stringify(hidden) }]
  },
  gatherEvidence: () => [],
  describePowers: () => [],
  describeSteps: () => ['runs its source'],
  describeChange: () => [],
  renderSource: ({ definition }) => ({ extension: 'ts', text: sourceOf(definition) }),
  compile: () => ({ execute: async () => 'ran' }),
})

function sourceOf(definition: unknown): string {
  return String((definition as { source?: unknown }).source)
}

export const kinds: readonly ToolKind[] = [createAdderKind(), sourceKind]
export const plain: ToolBuildRequest = {
  kind: 'compute',
  name: 'plus_some',
  description: 'Adds a fixed number to a value',
  inputSchema: { type: 'object', properties: { value: { type: 'number' } } },
  definition: { add: 1 },
  capabilities: [],
  allowedPaths: [],
  allowedDomains: [],
  secrets: [],
  callees: [],
  limits: {},
  examples: [],
  risk: 'low',
}

/** What becomes of a proposal: a state, or the code that it is refused with. */
export async function propose(overrides: object, workshop?: Workshop): Promise<string> {
  const { maker } = workshop ?? (await openWorkshop({ kinds }))
  try {
    return (await maker.forAgent(agent).buildTool({ ...plain, ...overrides })).status
  } catch (error) {
    return String((error as { code?: unknown }).code ?? error)
  }
}
export const refused: RegExp =
  /^(?:rejected|REQUEST_INVALID|TOOL_NAME_NOT_MEANINGFUL|TOOL_NAME_TAKEN)$/

/** The review of what was proposed, with everything that it says as one text. */
export async function reviewOf(
  overrides: object,
  earlier?: object,
): Promise<{
  status: string
  suspicions: string
  diff: string
  text: string
}> {
  const workshop = await openWorkshop({ kinds })
  const { maker, grace } = workshop
  if (earlier !== undefined) {
    await propose(earlier, workshop)
    await maker.approveTool('plus_some', 1, { signer: grace })
    await maker.activateToolVersion('plus_some', 1, { signer: grace })
  }
  const status = await propose(overrides, workshop)
  const review = await maker.readReview('plus_some', earlier === undefined ? 1 : 2)
  return {
    status,
    suspicions: review?.suspicions.join('; ') ?? '',
    diff: review?.change?.diff ?? '',
    text: JSON.stringify(review),
  }
}

export function hostTool(name: string): {
  name: string
  description: string
  inputSchema: { type: 'object' }
  risk: 'low'
  execute: () => string
} {
  return {
    name,
    description: 'Of the host',
    inputSchema: { type: 'object' },
    risk: 'low',
    execute: () => 'ran',
  }
}
