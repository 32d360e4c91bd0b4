const leading = /^(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*/
const parameters = String.raw`(?:\((?:[^()]|\([^()]*\))*\)|[\w$]+)`
const arrow = String.raw`${parameters}\s*(?::[^=]*)?=>`
const bareArrow = new RegExp(String.raw`^(?:async\b\s*)?${arrow}`)
const namedFunctions = [
  /^(?:async\s+)?function\b\s*\*?\s*(?<name>[\w$]+)\s*[(<]/,
  new RegExp(
    String.raw`^(?:const|let|var)\s+(?<name>[\w$]+)\s*(?::[^=]*)?=\s*(?:async\b\s*)?(?:function\b|${arrow})`,
  ),
]
const longestLooked = 2_000

/**
 * Whether a body is a whole function that nobody calls, such as `async (input) => { … }`: it would run and give nothing. Looks at how
 * it begins only; what it misses is told by the result.
 */
export function isWholeFunction(body: string): boolean {
  const start = body.slice(0, longestLooked).replace(leading, '')
  if (bareArrow.test(start)) return true
  return namedFunctions.some((pattern) => {
    const name = pattern.exec(start)?.groups?.['name']
    return name !== undefined && body.split(name).length === 2
  })
}
