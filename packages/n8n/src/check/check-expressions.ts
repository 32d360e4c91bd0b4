import { baseType, type CheckContext, type CheckedNode } from './check-context.ts'
import { bracedTexts, expressionParts, isExpression } from './expression-parts.ts'
import { nearestTo } from './nearest.ts'
import { type ParsedScript, parseCode, parseExpression } from './parse-script.ts'
import { quote } from './quote.ts'
import { readScriptNames } from './script-names.ts'
import { type TextParameter, textParameters } from './text-parameters.ts'
import { findDenied, findUnusable } from './unusable-forms.ts'

/** Parameters that hold JavaScript, by node type. */
const codeParameters: ReadonlyMap<string, string> = new Map([
  ['n8n-nodes-base.code', 'jsCode'],
  ['n8n-nodes-base.function', 'functionCode'],
  ['n8n-nodes-base.functionItem', 'functionCode'],
  ['n8n-nodes-base.aiTransform', 'jsCode'],
  ['n8n-nodes-base.sort', 'code'],
  ['@n8n/n8n-nodes-langchain.toolCode', 'jsCode'],
])

/** Parameters that hold `{{ }}` and are filled in by the node itself, or are shown to people only. */
const templateParameters: ReadonlySet<string> = new Set([
  'n8n-nodes-base.html html',
  'n8n-nodes-base.stickyNote content',
])

/** Whether n8n can evaluate each expression and run each program, and whether the nodes that they name exist. */
export function checkExpressions(context: CheckContext): void {
  for (const each of context.nodes)
    // n8n never looks at the parameters of a disabled node.
    for (const parameter of each.node.disabled ? [] : textParameters(each)) {
      checkBraces(parameter, each, context)
      checkWhole(parameter, each, context)
      if (isExpression(parameter.text)) checkExpression(parameter, each, context)
      else if (codeParameters.get(each.node.type) === parameter.key)
        checkCode(parameter, each, context)
      else checkPlainText(parameter, each, context)
    }
}

/**
 * Of this parameter n8n takes away three characters at the beginning and two at the end, whatever they are, and evaluates the rest
 * (n8n-nodes-base, HttpRequestV3): in any other form than one whole expression it is a program that nobody sees as one.
 */
const wholeParameter = 'completeExpression'

function checkWhole(
  { key, path, text }: TextParameter,
  each: CheckedNode,
  context: CheckContext,
): void {
  if (key !== wholeParameter || baseType(each.node) !== 'httpRequest') return
  const whole = text.trim()
  const parts = expressionParts(whole)
  const [part] = parts
  const isWhole =
    whole.startsWith('={{') && whole.endsWith('}}') && parts.length === 1 && part?.isClosed === true
  if (isWhole && part.code.length === whole.length - 5) return
  context.problems.error({
    code: 'bad-parameter-value',
    path,
    node: each.node.name,
    message: `n8n evaluates ${wholeParameter} without its first three and last two characters, so ${quote(text)} is not read as it stands there.`,
    fix: 'Write it as one expression, such as "={{ $response.body.done }}".',
  })
}

function checkExpression(
  { path, text }: TextParameter,
  each: CheckedNode,
  context: CheckContext,
): void {
  const { name } = each.node
  const denied = findDenied(text)
  for (const { code, isClosed } of expressionParts(text)) {
    const parsed = parseExpression(code)
    const isWhole = text === `={{${code}}}`
    const reason =
      'reason' in parsed ? parsed.reason : (denied ?? findUnusable(parsed.program, isWhole))
    if (reason !== undefined)
      context.problems.error({
        code: 'bad-expression',
        path,
        node: name,
        message: `n8n cannot evaluate {{${code.length > 80 ? `${code.slice(0, 80).toWellFormed()}…` : code}}}: ${reason}.`,
        fix: /\{[^}]*\{[^}]*$/.test(code)
          ? 'The first "}}" ends an expression; put a space between two closing braces of objects.'
          : 'Write one JavaScript expression between {{ and }}.',
      })
    else if (!isClosed)
      context.problems.warn({
        code: 'unclosed-expression',
        path,
        node: name,
        message: `The expression ${quote(text)} has no "}}" at its end.`,
        fix: 'Close it with "}}".',
      })
    checkNames(parsed, { path, each }, context)
  }
}

function checkCode({ path, text }: TextParameter, each: CheckedNode, context: CheckContext): void {
  const { language } = each.node.parameters
  if (language !== undefined && language !== 'javaScript') return
  const parsed = parseCode(text)
  if ('reason' in parsed)
    context.problems.error({
      code: 'bad-code',
      path,
      node: each.node.name,
      message: `The code of ${quote(each.node.name)} is no JavaScript: ${parsed.reason}, line ${parsed.line}.`,
      fix: 'Correct the code.',
    })
  checkNames(parsed, { path, each }, context)
}

function checkPlainText(
  { path, key, text }: TextParameter,
  { node }: CheckedNode,
  { problems }: CheckContext,
): void {
  if (!/\{\{.*\}\}/s.test(text) || templateParameters.has(`${node.type} ${key}`)) return
  if (!/\{\{[^}]*\$\w*[^}]*\}\}/.test(text)) return
  problems.warn({
    code: 'expression-without-equals',
    path,
    node: node.name,
    message: `n8n does not evaluate ${quote(text)}: a text with expressions begins with "=".`,
    fix: `Write ${quote(`=${text}`)}.`,
  })
}

/** Programs that only the node itself finds in the text. */
function checkBraces(
  { path, text }: TextParameter,
  each: CheckedNode,
  context: CheckContext,
): void {
  if (baseType(each.node) === 'stickyNote') return
  const found = new Set(isExpression(text) ? expressionParts(text).map(({ code }) => code) : [])
  for (const code of bracedTexts(text)) {
    if (found.has(code)) continue
    const expression = parseExpression(code)
    const parsed = 'reason' in expression ? parseCode(code) : expression
    if (!('reason' in parsed))
      reportEnvironment(readScriptNames(parsed.program).environment, { path, each }, context)
  }
}

function checkNames(
  parsed: ParsedScript,
  { path, each }: { readonly path: string; readonly each: CheckedNode },
  { byName, problems }: CheckContext,
): void {
  if ('reason' in parsed) return
  const { nodes, environment } = readScriptNames(parsed.program)
  for (const name of nodes)
    if (!byName.has(name))
      problems.error({
        code: 'unknown-node-reference',
        path,
        node: each.node.name,
        message: `${quote(each.node.name)} refers to a node ${quote(name)}, which does not exist.`,
        fix: nearestTo(name, byName.keys()) ?? 'Use the name of a node.',
      })
  reportEnvironment(environment, { path, each }, { problems })
}

function reportEnvironment(
  environment: ReadonlySet<string>,
  { path, each }: { readonly path: string; readonly each: CheckedNode },
  { problems }: Pick<CheckContext, 'problems'>,
): void {
  for (const name of environment)
    problems.error({
      code: 'environment-access',
      path,
      node: each.node.name,
      message: `${quote(each.node.name)} reads ${name}: what a server is set up with is not the workflow's to see, and is denied or missing on most.`,
      fix: 'Write settings into the workflow, and secrets into a credential.',
    })
}
