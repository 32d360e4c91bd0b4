import { type NodePolicy, nodeCatalogue, validateWorkflow } from '@toolcrib/n8n/workflow'
import type { N8nFactoryOptions } from '../tools/n8n/n8n-factory-options.ts'

/** What most workflows are made of, in the order in which a model reads it. */
const commonTypes = [
  'webhook',
  'respondToWebhook',
  'httpRequest',
  'set',
  'if',
  'switch',
  'filter',
  'merge',
  'splitOut',
  'aggregate',
  'summarize',
  'sort',
  'limit',
  'removeDuplicates',
  'renameKeys',
  'dateTime',
  'crypto',
  'xml',
  'html',
  'markdown',
  'noOp',
  'stopAndError',
  'scheduleTrigger',
  'code',
].map((name) => `n8n-nodes-base.${name}`)

/** More types than this of those that credentials open, or that the policy names, are not told. */
const mostOthers = 40

/** Which of some types the policy and the catalogue allow, asked of the check itself, so that both say the same. */
function allowed(
  types: readonly string[],
  options: Pick<N8nFactoryOptions, 'catalogue' | 'policy'>,
): ReadonlySet<string> {
  const nodes = types.map((type, index) => ({
    id: `n${index}`,
    name: type,
    type,
    position: [0, 0],
    parameters: {},
  }))
  const { problems } = validateWorkflow(
    { name: 'Nodes', nodes, connections: {}, settings: {} },
    {
      ...(options.catalogue === undefined ? {} : { catalogue: options.catalogue }),
      ...(options.policy === undefined ? {} : { policy: options.policy }),
      maxProblems: 10_000,
    },
  )
  const refused = new Set(
    problems
      .filter(({ path, severity }) => severity === 'error' && path.endsWith('.type'))
      .map(({ node }) => node),
  )
  return new Set(types.filter((type) => !refused.has(type)))
}

function namedByPolicy({ allow = [] }: NodePolicy): readonly string[] {
  return allow.filter((pattern) => !pattern.includes('*'))
}

/**
 * The node types that a model is told of, each with its newest version, such as `n8n-nodes-base.set@3.4`: common ones,
 * those that the policy names, and those that the credentials open, as far as policy and catalogue allow them.
 */
export function listUsableNodes(
  options: Pick<N8nFactoryOptions, 'catalogue' | 'policy' | 'credentials'>,
): readonly string[] {
  const { catalogue = nodeCatalogue(), credentials = [], policy = {} } = options
  const opened = new Set(credentials.map(({ type }) => type))
  const byCredential = Object.entries(catalogue.nodes)
    .filter(
      ([, facts]) =>
        facts.isTrigger !== true && facts.credentials?.some(({ name }) => opened.has(name)),
    )
    .map(([type]) => type)
    .toSorted()
  const others = [...namedByPolicy(policy), ...byCredential].slice(0, mostOthers)
  const types = [...new Set([...commonTypes, ...others])].filter((type) =>
    Object.hasOwn(catalogue.nodes, type),
  )
  const usable = allowed(types, options)
  return types
    .filter((type) => usable.has(type))
    .map((type) => `${type}@${catalogue.nodes[type]?.versions.at(-1) ?? 1}`)
}
