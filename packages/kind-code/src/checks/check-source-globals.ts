import type { AnyNode, Identifier } from 'acorn'
import { languageGlobals, missingGlobals, sandboxGlobals } from '../source/known-globals.ts'
import { type SourceAnalysis, quote } from '../source/source-analysis.ts'

const mixedScripts =
  /(?:\p{Script=Latin}.*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}].*\p{Script=Latin})/u

/** Letters of other scripts that look like Latin ones, in pairs. */
const lookAlikes = new Map(
  'аa еe оo рp сc уy хx іi јj ѕs ԁd ԛq ԝw һh ӏl АA ВB ЕE КK МM НH ОO РP СC ТT ХX οo αa νv ρp ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX'
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.charAt(1)]),
)

/** Checks which globals a source uses, and names that could be taken for others. */
export function checkGlobals(analysis: SourceAnalysis): void {
  for (const node of analysis.scopes.free) checkGlobal(analysis, node)
  const names = new Map<string, Identifier>()
  for (const node of analysis.tree.nodes)
    if (node.type === 'Identifier' && !names.has(node.name)) names.set(node.name, node)
  for (const [name, node] of names) {
    if (/^[\w$]+$/.test(name)) continue
    const plain = name.replaceAll(/[^\w$]/gu, (letter) => lookAlikes.get(letter) ?? letter)
    const isTaken = plain !== name && (names.has(plain) || languageGlobals.has(plain))
    if (isTaken || mixedScripts.test(name))
      analysis.warn(
        'hidden-characters',
        node,
        isTaken
          ? `The name ${quote(name)} looks like ${quote(plain)} and is another.`
          : `The name ${quote(name)} mixes alphabets whose letters look alike.`,
      )
  }
}

function checkGlobal(analysis: SourceAnalysis, node: Identifier): void {
  const { name } = node
  const parent = analysis.tree.parentOf(node)
  if (name === 'eval')
    return analysis.refuse('call.eval', node, 'eval is not there. Write the code out.')
  if (name === 'Function') {
    // To ask whether a value is a function is harmless.
    if (parent?.type === 'BinaryExpression' && parent.operator === 'instanceof') return
    return analysis.refuse(
      'call.function-constructor',
      node,
      'Function is not there: code cannot be made from text. Write the code out.',
    )
  }
  if (name === 'arguments') return checkArguments(analysis, parent)
  if (Object.hasOwn(missingGlobals, name))
    return analysis.refuse(
      'global.forbidden',
      node,
      `${name} is not there in the sandbox. ${missingGlobals[name]}`,
    )
  if (/^(?:setTimeout|setInterval)$/.test(name)) checkTimer(analysis, node, parent)
  if (languageGlobals.has(name) || sandboxGlobals.has(name)) return
  if (parent?.type === 'AssignmentExpression' && parent.left === node)
    analysis.refuse(
      'global.forbidden',
      node,
      `${quote(name)} is not declared, and nothing can be kept in a global. Write const or let.`,
    )
  else
    analysis.warn(
      'global.forbidden',
      node,
      `${quote(name)} is neither declared nor known to be there in the sandbox.`,
    )
}

function checkArguments(analysis: SourceAnalysis, parent: AnyNode | undefined): void {
  if (parent?.type !== 'MemberExpression') return
  const key = analysis.constants.keyOf(parent)
  if (key === 'callee' || key === 'caller')
    analysis.refuse(
      'proto.access',
      parent,
      `arguments.${key} is not there. Give the function a name.`,
    )
}

/** A text given to a timer would be run as code. */
function checkTimer(analysis: SourceAnalysis, node: Identifier, parent: AnyNode | undefined): void {
  if (parent?.type !== 'CallExpression' || parent.callee !== node) return
  const [first] = parent.arguments
  if (first !== undefined && analysis.constants.textOf(first) !== undefined)
    analysis.refuse('call.eval', first, `${node.name} takes a function, not code as text.`)
}
