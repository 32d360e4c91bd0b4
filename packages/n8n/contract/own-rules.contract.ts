import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { findNodeFacts, nodeCatalogue } from '../src/node-catalogue.ts'
import { ignoredParameters } from '../src/parameters/ignored-parameters.ts'
import { n8nFolder } from './install-n8n.ts'
import { type OwnRules, type RuledNode, loadOwnRules, unseenIn } from './own-rules.ts'
import { readRealServer } from './real-server.ts'
import { sampleParameters } from './sample-parameters.ts'

const { version } = readRealServer()
const folder = process.env['N8N_FOLDER'] ?? join(n8nFolder(), version)
const catalogue = nodeCatalogue(version)

let rules: OwnRules
beforeAll(async () => {
  rules = await loadOwnRules(folder)
}, 120_000)

/** The types of the release, with the forms for agents, in each version. */
function everyVersion(): readonly { readonly type: string; readonly typeVersion: number }[] {
  return Object.keys(catalogue.nodes).flatMap((base) =>
    [base, `${base}Tool`].flatMap((type) =>
      (findNodeFacts(catalogue, type)?.versions ?? []).map((typeVersion) => ({
        type,
        typeVersion,
      })),
    ),
  )
}

function unseen(node: RuledNode): ReturnType<typeof unseenIn> | undefined {
  try {
    return unseenIn(node.parameters, rules.seenBy(node))
  } catch {
    return undefined
  }
}

function begins(path: readonly unknown[], start: readonly unknown[]): boolean {
  return start.every((step, index) => step === path[index])
}

test("what is not read of every type in every version is what n8n's own rules throw away", () => {
  const wrong: string[] = []
  let tried = 0
  for (const { type, typeVersion } of everyVersion()) {
    const [list = []] = catalogue.parameters?.(type, typeVersion) ?? []
    for (const parameters of sampleParameters(list)) {
      const ours = ignoredParameters(list, parameters, { type, version: typeVersion })
      const theirs = unseen({ type, typeVersion, parameters })
      tried += 1
      // A list in the place of an object is one thing for us, and each of its entries for n8n, which may also fail of it.
      const isSame =
        theirs === undefined
          ? ours.length > 0
          : theirs.every(({ path }) => ours.some((each) => begins(path, each.path))) &&
            ours.every((each) => theirs.some(({ path }) => begins(path, each.path)))
      if (!isSame) wrong.push(`${type} ${typeVersion} ${JSON.stringify(parameters).slice(0, 300)}`)
    }
  }
  expect(wrong).toEqual([])
  expect(tried).toBeGreaterThan(10_000)
}, 900_000)
