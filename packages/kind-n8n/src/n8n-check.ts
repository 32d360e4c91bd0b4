import { findWebhook } from '@toolcrib/n8n/core'
import { renderTemplate } from '@toolcrib/n8n/templates'
import {
  type NodeCatalogue,
  type NodePolicy,
  type N8nNode,
  type N8nWorkflow,
  type WorkflowProblem,
  describeWorkflow,
  validateWorkflow,
} from '@toolcrib/n8n/workflow'
import { canonicalJson, type JsonValue, ToolError } from '@toolcrib/registry'
import type { ToolSpec, ValidationCheck } from '@toolcrib/toolsmaker'
import type { N8nDefinition } from './n8n-definition.ts'
import { toDomain } from './n8n-request.ts'
import { readN8nDefinition } from './read-n8n-definition.ts'
import { showText } from '@toolcrib/toolsmaker/kind'

/** What workflows are checked against. */
export interface N8nCheckOptions {
  readonly policy?: NodePolicy | undefined
  readonly catalogue: NodeCatalogue
  /** Addresses of n8n itself, which no tool reaches: neither its administration nor the webhooks of others. */
  readonly own: readonly string[]
}

const mostProblems = 50

/** Checks a definition without running it, and without asking n8n. */
export function checkN8nSpec(spec: ToolSpec, options: N8nCheckOptions): readonly ValidationCheck[] {
  const general = [checkExamples(spec)]
  const read = readN8nDefinition(spec.definition)
  if ('problem' in read)
    return [...general, { name: 'definition', pass: false, message: read.problem }]
  const { definition } = read
  const { workflow } = definition
  // What another workflow does is neither hashed nor reviewed.
  const policy = { ...options.policy, allowSubWorkflows: false }
  const { catalogue } = options
  const checked = validateWorkflow(workflow, { catalogue, policy, maxProblems: mostProblems })
  const problems = checked.problems.map((problem) => ({ problem, ...sentenceOf(problem) }))
  const failed = numbered('workflow-problem', problems, 'error')
  if (!checked.ok) return [...general, ...failed]
  return [
    ...general,
    {
      name: 'workflow',
      pass: true,
      message: `${workflow.nodes.length} nodes; n8n ${catalogue.n8nVersion} has all of them.`,
    },
    ...numbered('workflow-warning', problems, 'warning'),
    checkCompleteness(workflow, checked),
    checkWebhook(workflow),
    checkWaysIn(workflow, catalogue),
    ...checkHosts(spec, workflow, options),
    checkOwnServer(workflow, options.own),
    checkPowers(spec),
    ...checkTemplate(definition),
  ]
}

function sentenceOf({ fix, message, node, path }: WorkflowProblem): { readonly message: string } {
  const place = path === '' ? 'The workflow' : path
  const named = node === undefined || message.includes(node) ? '' : ` ("${node}")`
  return { message: showText(`${place}${named}: ${message} ${fix ?? ''}`.trimEnd()) }
}

function numbered(
  name: string,
  problems: readonly { readonly problem: WorkflowProblem; readonly message: string }[],
  severity: WorkflowProblem['severity'],
): readonly ValidationCheck[] {
  return problems
    .filter(({ problem }) => problem.severity === severity)
    .map(({ message }, index) => ({
      name: `${name}-${index + 1}`,
      pass: severity === 'warning',
      message,
    }))
}

function checkExamples({ examples }: ToolSpec): ValidationCheck {
  const pass = examples.length === 0
  return {
    name: 'not-tried',
    pass,
    message: pass
      ? 'Nothing was run: a workflow cannot be tried without touching what it touches. What it does has to be read in its steps.'
      : 'A workflow is not run before it is approved, so examples would prove nothing. Leave examples out, and say in the description what it gives.',
  }
}

/** What is signed is what is sent, so nothing in it may have to be mended or left out. */
function checkCompleteness(
  workflow: N8nWorkflow,
  checked: { readonly workflow: N8nWorkflow; readonly repairs: readonly string[] },
): ValidationCheck {
  const pass = isSame(workflow, checked.workflow)
  const [first = 'It has fields that n8n does not know.', ...others] = checked.repairs
  return {
    name: 'workflow-complete',
    pass,
    message: pass
      ? 'It is sent as it is here.'
      : `The workflow is not complete. ${showText([first, ...others].slice(0, 10).join(' '))} Propose it with that done, as validateWorkflow gives it.`,
  }
}

function checkWebhook(workflow: N8nWorkflow): ValidationCheck {
  const name = 'callable'
  try {
    const webhook = findWebhook(workflow)
    return { name, pass: true, message: showText(`Calls come in at the node "${webhook.name}".`) }
  } catch (error) {
    if (!ToolError.is(error, 'N8N_NO_WEBHOOK')) throw error
    return { name, pass: false, message: showText(error.message) }
  }
}

/**
 * Where other workflows come in, also if it is switched off: n8n starts one at its Execute Workflow Trigger, or else at a manual one,
 * and such a node gives on what it gets (n8n, utils.js, findWorkflowStart; workflow-execution.service.js for errors).
 */
const entrances: ReadonlySet<string> = new Set([
  'n8n-nodes-base.executeWorkflowTrigger',
  'n8n-nodes-base.errorTrigger',
  'n8n-nodes-base.evaluationTrigger',
  'n8n-nodes-base.manualTrigger',
  'n8n-nodes-base.start',
  '@n8n/n8n-nodes-langchain.manualChatTrigger',
])

const doors: ReadonlySet<string> = new Set(['n8n-nodes-base.form', '@n8n/n8n-nodes-langchain.chat'])

/** Whoever runs the tool has to come through the webhook that asks for a token, or it runs by itself. */
function checkWaysIn(workflow: N8nWorkflow, catalogue: NodeCatalogue): ValidationCheck {
  const { nodes } = catalogue
  const problems = workflow.nodes
    .filter(({ disabled, type }) => {
      if (entrances.has(type)) return true
      if (disabled === true || type === 'n8n-nodes-base.webhook') return false
      const { hasWebhook = false, isTrigger = false } = nodes[type] ?? {}
      return isTrigger && hasWebhook
    })
    .map(
      ({ name, type }) =>
        `"${name}" (${type}) lets others start the workflow, past the token that calls need; remove it.`,
    )
  for (const node of workflow.nodes.filter((each) => isDoor(each, catalogue)))
    problems.push(
      `"${node.name}" (${node.type}) lets others go on with a run, past the token that calls need; remove it.`,
    )
  if (workflow.settings['availableInMCP'] === true)
    problems.push(
      "settings.availableInMCP lets others start the workflow over n8n's own MCP server; leave it out.",
    )
  return {
    name: 'ways-in',
    pass: problems.length === 0,
    message:
      problems.length === 0
        ? 'Nobody starts it over the web but through its calls.'
        : showText(problems.join(' ')),
  }
}

/** Whether a node waits for somebody at an address of its own. */
function isDoor(node: N8nNode, catalogue: NodeCatalogue): boolean {
  const { disabled, parameters, type } = node
  if (disabled === true) return false
  if (doors.has(type) || asksPeople(node, catalogue)) return true
  const { resume = 'timeInterval' } = parameters
  return type === 'n8n-nodes-base.wait' && !(resume === 'timeInterval' || resume === 'specificTime')
}

/** That of GitHub waits for its job, at an address of the same kind. */
const askingOperations: ReadonlySet<unknown> = new Set(['sendAndWait', 'dispatchAndWait'])

/** Whether a node sends somebody a message and waits until its link is followed, which anybody may do who has it. */
function asksPeople({ parameters, type, typeVersion }: N8nNode, catalogue: NodeCatalogue): boolean {
  if (type.endsWith('HitlTool')) return true
  const { operation } = parameters
  if (askingOperations.has(operation)) return true
  if (typeof operation === 'string' && !operation.startsWith('=')) return false
  // Not set, or decided on only in the run.
  const lists = catalogue.parameters?.(type, typeVersion) ?? []
  return lists
    .flat()
    .some(({ condition, name, preset }) =>
      operation === undefined
        ? name === 'operation' && askingOperations.has(preset)
        : condition?.show?.['operation']?.some((value) => askingOperations.has(value)) === true,
    )
}

/** Requests to n8n itself would reach its administration, or run other workflows, which are neither hashed nor reviewed. */
function checkOwnServer(workflow: N8nWorkflow, own: readonly string[]): ValidationCheck {
  const places = new Set(own.flatMap((address) => placesOf(address)))
  const reached = describeWorkflow(workflow).hosts.find((host) => places.has(placeOf(host)))
  return {
    name: 'own-server',
    pass: reached === undefined,
    message:
      reached === undefined
        ? 'It names no address at which n8n itself is known to be.'
        : showText(
            `It reaches ${reached}, which is n8n itself: its administration, and workflows that nobody reviewed. Remove that request.`,
          ),
  }
}

/** Where n8n and the proxies before it usually answer. */
const usualPorts = ['80', '443', '5678']

/** Where a server can be reached: at its port, and, away from this machine, at the ports where n8n is found as a rule. */
function placesOf(address: string): readonly string[] {
  const place = placeOf(address)
  const host = place.slice(0, place.lastIndexOf(':'))
  return host === here ? [place] : [place, ...usualPorts.map((port) => `${host}:${port}`)]
}

const here = 'localhost'
const namesOfHere =
  /^(?:localhost|.*\.localhost|ip6-localhost|ip6-loopback|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::(?:ffff:)?7f.*\])\.?$/i

/** Host and port, the same for each name of this machine. */
function placeOf(address: string): string {
  const { hostname, port, protocol } = new URL(address)
  const usual = protocol === 'https:' ? '443' : '80'
  const host = namesOfHere.test(hostname) ? here : hostname.replace(/\.$/, '')
  return `${host}:${port === '' ? usual : port}`
}

function checkHosts(
  { allowedDomains }: ToolSpec,
  workflow: N8nWorkflow,
  options: N8nCheckOptions,
): readonly ValidationCheck[] {
  const { dynamicHosts, hosts } = describeWorkflow(workflow)
  const used = new Set(hosts.map((origin) => toDomain(origin)))
  const declared = new Set(allowedDomains.map((domain) => toDomain(domain)))
  const missing = [...used].filter((host) => !declared.has(host))
  const unused = [...declared].filter((host) => !used.has(host))
  const programs = findPrograms(workflow, options)
  const unclear = dynamicHosts.filter(({ node }) => !programs.has(node))
  return [
    {
      name: 'hosts-known',
      pass: unclear.length === 0,
      message:
        unclear.length === 0
          ? 'Which hosts it reaches stands in the workflow.'
          : showText(
              `Which host is reached is decided only in the run: ${unclear
                .slice(0, 10)
                .map(({ expression, node, path }) => `${path} of "${node}" (${expression})`)
                .join(
                  '; ',
                )}. Write the scheme and host out, such as "=https://crm.example.com/{{ $json.id }}".`,
            ),
    },
    {
      name: 'hosts-declared',
      pass: missing.length + unused.length === 0,
      message:
        missing.length + unused.length === 0
          ? `allowedDomains has the hosts of the workflow: ${[...used].join(', ') || 'none'}.`
          : showText(
              [
                missing.length === 0
                  ? ''
                  : `The workflow reaches ${missing.join(', ')}, which allowedDomains lacks; add it, with the capability http.`,
                unused.length === 0
                  ? ''
                  : `allowedDomains names ${unused.join(', ')}, which the workflow never reaches; remove it.`,
              ]
                .join(' ')
                .trim(),
            ),
    },
  ]
}

/** Nodes with a program that the operator allows: where it sends to can never be told. */
function findPrograms(workflow: N8nWorkflow, options: N8nCheckOptions): ReadonlySet<string> {
  if (options.policy?.allowCode !== true) return new Set()
  const { catalogue } = options
  const { problems } = validateWorkflow(workflow, {
    catalogue,
    policy: { ...options.policy, allowCode: false },
    maxProblems: workflow.nodes.length * 10,
  })
  return new Set(
    problems.flatMap(({ code, node }) =>
      code === 'code-not-allowed' && node !== undefined ? [node] : [],
    ),
  )
}

function checkPowers(spec: ToolSpec): ValidationCheck {
  const { allowedDomains, allowedPaths, callees, capabilities, secrets } = spec
  const wanted = allowedDomains.length === 0 ? [] : ['http']
  const isExact =
    capabilities.length === wanted.length && capabilities.every((each) => wanted.includes(each))
  const others = Object.entries({ allowedPaths, callees, secrets })
    .filter(([, list]) => list.length > 0)
    .map(([field]) => field)
  const pass = isExact && others.length === 0
  return {
    name: 'powers-of-a-workflow',
    pass,
    message: pass
      ? 'It asks for what its workflow reaches, and nothing else.'
      : `A workflow runs on n8n, so capabilities must be ${JSON.stringify(wanted)} here, got ${JSON.stringify(capabilities)}${
          others.length === 0 ? '' : `, and ${others.join(', ')} must be empty`
        }. What it keeps secret are credentials of n8n, named in the workflow.`,
  }
}

/** A reviewer is told of the template, so it has to be true. */
function checkTemplate({ template, workflow }: N8nDefinition): readonly ValidationCheck[] {
  if (template === undefined) return []
  const name = 'template'
  const { customizations, slug } = template
  try {
    const rendered = renderTemplate(slug, customizations)
    const pass =
      isSame(workflow, rendered.workflow) && isSame(customizations, rendered.customizations)
    return [
      {
        name,
        pass,
        message: pass
          ? `The workflow is what the template ${showText(slug)} gives.`
          : `The workflow is not what the template ${showText(slug)} gives with these customizations. Leave template out of the definition.`,
      },
    ]
  } catch (error) {
    if (!ToolError.is(error)) throw error
    return [{ name, pass: false, message: showText(error.message) }]
  }
}

function isSame(left: object, right: object): boolean {
  return canonicalJson(left as JsonValue) === canonicalJson(right as JsonValue)
}
