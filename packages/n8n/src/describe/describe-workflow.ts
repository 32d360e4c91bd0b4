import { n8nError } from '../error-catalogue.ts'
import type { N8nWorkflow } from '../n8n-workflow.ts'
import { describeNode } from './node-sentence.ts'
import { isTrigger } from './node-families.ts'
import { describeStep, showLeaf } from './node-paragraph.ts'
import { NodeParameters, leavesOf } from './node-parameters.ts'
import { showSchedule } from './schedule-words.ts'
import { quoteCut, showWord } from './show-text.ts'
import { fitEntries } from './step-entries.ts'
import type { DescribeWorkflowOptions, WorkflowDescription } from './workflow-description.ts'
import { type WorkflowGraph, readGraph } from './workflow-graph.ts'
import { type SeenWorkflow, seeWorkflow } from './seen-workflow.ts'
import { readReach } from './workflow-hosts.ts'
import { describeSettings } from './workflow-settings.ts'

/**
 * Says in plain words what a workflow does, for whoever decides on it. It follows from what n8n would run, never from names or
 * notes, which are quoted as the author's; what is not known is said as such. Every parameter, field, setting and piece of
 * data in it is shown, or said to be cut; what n8n does not read is told apart. Expects a workflow of the right form, such as `validateWorkflow` gives.
 *
 * The order of steps is breadth first; n8n itself finishes one branch before it begins the next.
 *
 * @throws {ToolError} N8N_OPTION_INVALID
 */
export function describeWorkflow(
  workflow: N8nWorkflow,
  options: DescribeWorkflowOptions = {},
): WorkflowDescription {
  const { maxStepLength = 2_000, maxSteps = 200 } = options
  assertRange('maxSteps', { value: maxSteps, least: 2, most: 100_000 })
  assertRange('maxStepLength', { value: maxStepLength, least: 500, most: 1_000_000 })
  const seen = seeWorkflow(workflow, options.catalogue)
  const graph = readGraph(seen.workflow)
  const reaches = workflow.nodes.map((node) => ({ node, reach: readReach(node) }))
  const running = seen.workflow.nodes.filter((node) => isTrigger(node) && node.disabled !== true)
  return {
    ...fitEntries(paragraphsOf(seen, graph), { maxSteps, maxStepLength }),
    triggers: running.map((node) =>
      describeNode(node, {
        parameters: new NodeParameters(node.parameters),
        workflow: seen.workflow,
      }),
    ),
    schedules: running.flatMap((node) =>
      (showSchedule(node, seen.workflow) ?? []).map(
        (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
      ),
    ),
    hosts: [...new Set(reaches.flatMap(({ reach }) => reach.hosts))].toSorted(),
    dynamicHosts: reaches.flatMap(({ reach }) => reach.dynamicHosts),
    redirects: reaches.flatMap(({ node, reach }) => (reach.followsRedirects ? [node.name] : [])),
    services: reaches.flatMap(({ node, reach }) =>
      reach.isService ? [{ node: node.name, type: node.type }] : [],
    ),
    credentials: seen.workflow.nodes.flatMap((node) =>
      Object.entries(node.credentials ?? {}).map(([type, { id, name }]) => ({
        node: node.name,
        type,
        id,
        name,
      })),
    ),
    runsCode: reaches.some(({ reach }) => reach.runsCode),
    writes: reaches.some(({ reach }) => reach.writes),
  }
}

function assertRange(
  name: string,
  range: { readonly value: number; readonly least: number; readonly most: number },
): void {
  const { least, most, value } = range
  if (Number.isSafeInteger(value) && value >= least && value <= most) return
  throw n8nError(
    'N8N_OPTION_INVALID',
    `${name} has to be a whole number from ${least} to ${most}, not ${value}.`,
  )
}

function paragraphsOf(
  { workflow, ignored }: SeenWorkflow,
  graph: WorkflowGraph,
): readonly (readonly string[])[] {
  const reached = graph.nodes.filter(({ name }) => !graph.unreached.has(name))
  const rest = graph.nodes.filter(({ name }) => graph.unreached.has(name))
  const numberOf = new Map(graph.nodes.map((node, index) => [node, index + 1]))
  const tell = (nodes: typeof rest): readonly (readonly string[])[] =>
    nodes.map((node) =>
      describeStep(node, {
        graph,
        number: numberOf.get(node) ?? 0,
        workflow,
        ignored: ignored.get(node) ?? [],
      }),
    )
  return [
    ...(reached.length === 0 ? [['Nothing starts it.']] : []),
    ...tell(reached),
    ...(rest.length === 0
      ? []
      : [
          [
            'Nothing that is known to start the workflow leads to the following; it is part of it all the same.',
          ],
        ]),
    ...tell(rest),
    ...(graph.loose.length === 0
      ? []
      : [
          [
            'Connections from or to nodes that do not exist:',
            ...graph.loose.map(
              ({ from, to, type }) =>
                `   ${quoteCut(from, 200)} to ${quoteCut(to, 200)} (${showWord(type)})`,
            ),
          ],
        ]),
    ...describeSettings(workflow),
    ...describeData(workflow),
  ]
}

const workflowFields = new Set(['connections', 'name', 'nodes', 'settings'])

/** Data that is stored in the workflow, and fields that nobody knows. */
function describeData(workflow: N8nWorkflow): readonly (readonly string[])[] {
  const titles: Readonly<Record<string, string>> = {
    pinData: 'Data pinned to nodes, used only by test runs in the editor of n8n:',
    staticData: 'Data that it remembers between runs:',
  }
  return Object.entries(workflow).flatMap(([key, value]) => {
    if (workflowFields.has(key) || value === undefined || value === null) return []
    const lines = [...leavesOf(value)].flatMap((leaf) =>
      showLeaf({ ...leaf, path: [key, ...leaf.path] }, { indent: '   ' }),
    )
    const title = Object.hasOwn(titles, key) ? titles[key] : undefined
    return lines.length === 0 ? [] : [[title ?? `The field ${quoteCut(key, 100)}:`, ...lines]]
  })
}
