import {
  type N8nWorkflow,
  type WorkflowDescription,
  describeWorkflow,
  describeWorkflowChange,
} from '@toolcrib/n8n/workflow'
import type { JsonValue, ToolAnnotations } from '@toolcrib/registry'
import type { ImpliedRisk, ToolProposal, ToolSpec } from '@toolcrib/toolsmaker'
import { boundSentences } from '@toolcrib/toolsmaker/kind'
import type { N8nDefinition } from './n8n-definition.ts'
import { n8nDefinitionOf, readN8nDefinition } from './read-n8n-definition.ts'
import { quoteShown, showText } from '@toolcrib/toolsmaker/kind'

/** What an n8n tool may do, in sentences made from its workflow. */
export function describeN8nPowers({ spec }: ToolProposal, baseUrl: string): readonly string[] {
  const { workflow } = n8nDefinitionOf(spec)
  const description = describeWorkflow(workflow)
  const { credentials, hosts, redirects, runsCode, services, writes } = description
  const how = writes ? 'reads from and sends to' : 'reads from'
  return boundSentences([
    `Runs on n8n at ${showText(baseUrl)}, outside of the sandbox: n8n reaches what it reaches, with the credentials that it keeps.`,
    ...hosts.map((origin) => `${how.charAt(0).toUpperCase()}${how.slice(1)} ${showText(origin)}.`),
    ...redirects.map(
      (node) =>
        `Follows redirects in the node ${quoteShown(node)}, so what it sends to may lead it to any other host.`,
    ),
    ...services.map(
      ({ node, type }) =>
        `Uses the service behind ${showText(type)}, at addresses that n8n knows, in the node ${quoteShown(node)}.`,
    ),
    ...credentials.map(
      ({ id, name, node, type }) =>
        // n8n goes by the id alone: the name is what the author says, and may be that of a harmless one.
        `Uses the credential of n8n with the id ${showText(id)} (${showText(type)}) in the node ${quoteShown(node)}; the workflow calls it ${quoteShown(name)}.`,
    ),
    ...startsByItself(description, workflow),
    ...(runsCode ? ['Runs code that stands in the workflow; it may send to any host.'] : []),
  ])
}

/** Calls are how every tool is started, so only what starts it beside them is a power. */
function startsByItself(
  { schedules }: WorkflowDescription,
  workflow: N8nWorkflow,
): readonly string[] {
  // Such as a mailbox or a queue; what asks at set times is among the schedules.
  const events = workflow.nodes
    .filter(({ type }) => !startedByPeople.has(type))
    .map((node) => describeWorkflow({ ...workflow, nodes: [node], connections: {} }))
    .filter((alone) => alone.schedules.length === 0)
    .flatMap(({ triggers }) => triggers)
  return [...schedules, ...events].map((words) => `Runs by itself, without being called: ${words}`)
}

const startedByPeople: ReadonlySet<string> = new Set([
  'n8n-nodes-base.manualTrigger',
  'n8n-nodes-base.webhook',
])

/** What an n8n tool does, step by step. */
export function describeN8nSteps({ spec }: ToolProposal): readonly string[] {
  const { template, workflow } = n8nDefinitionOf(spec)
  const origin = template === undefined ? [] : [describeTemplate(template)]
  const { steps } = describeWorkflow(workflow, { maxSteps: 190 })
  return boundSentences([
    ...origin,
    `The workflow is called ${quoteShown(workflow.name)}.`,
    ...steps,
  ])
}

function describeTemplate({
  customizations,
  slug,
}: NonNullable<N8nDefinition['template']>): string {
  const filled = Object.entries(customizations)
    .map(([key, value]) => `${showText(key)} = ${showText(JSON.stringify(value))}`)
    .join(', ')
  return `It was made from the template ${quoteShown(slug)} with ${filled === '' ? 'nothing filled in' : filled}.`
}

/** What changed since the last approved version. */
export function describeN8nChange({ previous, spec }: ToolProposal): readonly string[] {
  if (previous === undefined) return []
  if (previous.kind !== spec.kind)
    return [`It was a tool of kind "${previous.kind}" before; every step is new.`]
  const [before, after] = [n8nDefinitionOf(previous), n8nDefinitionOf(spec)]
  const template =
    JSON.stringify(before.template) === JSON.stringify(after.template)
      ? []
      : [`Before: ${templateOrNone(before)} Now: ${templateOrNone(after)}`]
  return boundSentences([...template, ...describeWorkflowChange(before.workflow, after.workflow)])
}

function templateOrNone({ template }: N8nDefinition): string {
  return template === undefined ? 'It was made from no template.' : describeTemplate(template)
}

/**
 * The least risk of a workflow: hosts stand among the capabilities, services, credentials and programs do not. Which addresses a
 * service or a program reaches is not known, so that nothing bounds what it does with its credential.
 */
export function n8nRisk(definition: JsonValue): ImpliedRisk | undefined {
  const read = readN8nDefinition(definition)
  // What cannot be read is refused by the checks.
  if ('problem' in read) return undefined
  const { credentials, runsCode, schedules, services } = describeWorkflow(read.definition.workflow)
  if (runsCode) return { risk: 'high', why: 'its workflow runs code, which may send to any host' }
  const [service] = services
  if (service !== undefined)
    return {
      risk: 'high',
      why: `its workflow uses the service behind ${showText(service.type)}, at addresses that n8n knows`,
    }
  if (credentials.length > 0)
    return { risk: 'medium', why: 'its workflow uses a credential that n8n keeps' }
  return schedules.length > 0 ? { risk: 'medium', why: 'its workflow runs by itself' } : undefined
}

/** MCP's hints. What may start anything elsewhere is never called safe. */
export function annotateN8nTool(spec: ToolSpec): ToolAnnotations {
  const cautious = {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  }
  try {
    const { runsCode, services, writes } = describeWorkflow(n8nDefinitionOf(spec).workflow)
    return writes || runsCode || services.length > 0
      ? cautious
      : { ...cautious, readOnlyHint: true, destructiveHint: false }
  } catch {
    // A definition of an older release must not keep its tool from being listed.
    return cautious
  }
}
