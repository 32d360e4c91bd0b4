import { makeVisible } from '@toolcrib/toolsmaker/kind'

const longestText = 40
const mostFields = 8

function showValue(value: unknown): string {
  if (typeof value === 'string') {
    const text = value.slice(0, longestText).toWellFormed()
    return makeVisible(JSON.stringify(value.length > longestText ? `${text}…` : text))
  }
  if (Array.isArray(value)) return `[${value.length} items]`
  if (typeof value === 'object' && value !== null) return `{${Object.keys(value).length} fields}`
  return String(value)
}

/** One line about a call whose author gave no format, such as `shorten({ url: "https://…" })`. */
export function describeCodeCall(toolName: string, input: unknown): string {
  if (typeof input !== 'object' || input === null) return `${toolName}(${showValue(input)})`
  const fields = Object.entries(input)
  const shown = fields
    .slice(0, mostFields)
    .map(([name, value]) => `${makeVisible(name.slice(0, longestText))}: ${showValue(value)}`)
  if (fields.length > mostFields) shown.push('…')
  return shown.length === 0 ? `${toolName}({})` : `${toolName}({ ${shown.join(', ')} })`
}
