import type { ParameterFacts } from './parameter-facts.ts'
import { parametersIn } from './parameter-data.ts'
import { toApprovalParameters, toToolParameters } from './tool-parameters.ts'

const forms = [
  { ending: 'HitlTool', derive: toApprovalParameters },
  { ending: 'Tool', derive: toToolParameters },
] as const

const derived = new Map<string, WeakMap<readonly ParameterFacts[], readonly ParameterFacts[]>>(
  forms.map(({ ending }) => [ending, new WeakMap()]),
)

/**
 * The parameters that a node type has in a version in a release, under whatever conditions; also of the forms that n8n makes of
 * nodes for agents. `undefined` where the release lacks the type or the version.
 */
export function nodeParameters(
  release: string,
  type: string,
  version: number,
): readonly ParameterFacts[] | undefined {
  const own = parametersIn(release, type, version)
  if (own !== undefined) return own
  for (const { ending, derive } of forms) {
    if (!type.endsWith(ending)) continue
    const base = parametersIn(release, type.slice(0, -ending.length), version)
    if (base === undefined) continue
    const known = derived.get(ending)
    const list = known?.get(base) ?? derive(base)
    known?.set(base, list)
    return list
  }
  return undefined
}
