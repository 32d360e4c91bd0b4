/**
 * Tells how many published workflows pass the check, and holds those that pass to n8n's own rules: none may have a parameter or a
 * condition that its node does not see when it runs.
 *
 *   node --conditions=@toolcrib/source scripts/check-published-workflows.ts <workflows> [<folder of an installed n8n> ...]
 *
 * `<workflows>` is `data/nodes.db` of the npm package n8n-mcp (get it with `npm pack n8n-mcp@2.87.0` into a folder outside of the
 * repository), or a folder of workflows as JSON files. The releases are those that `pnpm test:n8n` installs, which is where they are
 * looked for by default.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { n8nFolder, testedVersions } from '../contract/install-n8n.ts'
import { type OwnRules, loadOwnRules, unseenIn } from '../contract/own-rules.ts'
import { type N8nNode, nodeCatalogue, validateWorkflow } from '../src/workflow.ts'

interface Published {
  readonly title: string
  readonly workflow: object
}

/** Workflows of the database of n8n-mcp, or of a folder. */
function readPublished(path: string): readonly Published[] {
  if (statSync(path).isDirectory())
    return readdirSync(path)
      .filter((name) => name.endsWith('.json'))
      .map((name) => ({
        title: name,
        workflow: JSON.parse(readFileSync(join(path, name), 'utf8')) as object,
      }))
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database
    .prepare(
      'SELECT id, name, workflow_json AS plain, workflow_json_compressed AS packed FROM templates',
    )
    .all() as readonly Record<'id' | 'name' | 'plain' | 'packed', string | null>[]
  return rows.map(({ id, name, plain, packed }) => {
    const text = packed === null ? plain : gunzipSync(Buffer.from(packed, 'base64')).toString()
    const workflow = JSON.parse(text ?? '{}') as object
    return { title: `${id} ${name}`, workflow: { name: name?.slice(0, 128), ...workflow } }
  })
}

/** What a node has that it does not see when it runs, told by n8n alone; conditions are looked at as n8n looks at them. */
function unseenOf(node: N8nNode, rules: OwnRules): readonly string[] {
  const seen = rules.seenBy(node)
  if (seen === undefined) return ['(no such node)']
  const paths = unseenIn(node.parameters, seen).map(({ path }) => path.join('.'))
  return [...paths, ...rules.uncompared(node)]
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

const policies = [
  ['without code', {}],
  ['with code', { allowCode: true }],
  ['with code and other workflows', { allowCode: true, allowSubWorkflows: true }],
] as const

const [path, ...given] = process.argv.slice(2)
if (path === undefined) throw new Error('Give the workflows; the head of this file says which.')
const folders =
  given.length > 0 ? given : testedVersions.map((version) => join(n8nFolder(), version))
const published = readPublished(path)
let wrong = 0
for (const folder of folders) {
  const rules = await loadOwnRules(folder)
  const catalogue = nodeCatalogue(rules.n8nVersion)
  const refused = new Set<string>()
  const mended = new Set<string>()
  for (const [label, policy] of policies) {
    let passed = 0
    for (const { title, workflow } of published) {
      const check = validateWorkflow(workflow, { catalogue, policy })
      if (
        check.problems.some(
          ({ code, severity }) => severity === 'error' && code.startsWith('ignored-'),
        )
      )
        refused.add(title)
      if (!check.ok) continue
      passed += 1
      if (check.problems.some(({ code }) => code.startsWith('ignored-'))) mended.add(title)
      for (const node of check.workflow.nodes)
        for (const unseen of unseenOf(node, rules)) {
          wrong += 1
          say(
            `WRONG on ${rules.n8nVersion}: ${title}: "${node.name}" (${node.type} ${node.typeVersion}): ${unseen}`,
          )
        }
    }
    const share = ((100 * passed) / published.length).toFixed(1)
    say(`n8n ${rules.n8nVersion}, ${label}: ${passed} of ${published.length} pass (${share} %)`)
  }
  say(
    `n8n ${rules.n8nVersion}: ${refused.size} have something that n8n would not read and are refused, ${mended.size} of those that pass were repaired`,
  )
}
say(wrong === 0 ? 'none that passes has anything that n8n does not read' : `${wrong} wrong`)
process.exit(wrong === 0 ? 0 : 1)
