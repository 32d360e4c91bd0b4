import { describeNameProblem } from '@toolcrib/registry'

const filler =
  /^(?:my|new|the|an?|some|generated|example|sample|demo|custom|dynamic|test|temp|tmp|untitled|unnamed|default|agent|auto|generic|made)$/
const empty =
  /^(?:tools?|functions?|funcs?|fn|scripts?|helpers?|utils?|utility|utilities|things?|stuff|actions?|tasks?|foo|bar|baz|qux|name|no|none|null|undefined|unknown|x+|v|version)$/

/** Tells why a proposed name cannot be taken, or `undefined` when it can. */
export function describeProposedNameProblem(name: string): string | undefined {
  const problem = describeNameProblem(name)
  if (problem !== undefined) return problem
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]+|(?<=\D)(?=\d)|(?<=\d)(?=\D)/)
    .filter((word) => word !== '' && !/^\d+$/.test(word))
  const meaning = words.filter((word) => !filler.test(word) && !empty.test(word) && word.length > 1)
  return meaning.length > 0
    ? undefined
    : `must say what the tool does, such as "shipping_cost", got ${JSON.stringify(name)}`
}
