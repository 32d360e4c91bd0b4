import { quoteShown, showText } from './show-text.ts'

const longestText = 40
const mostFields = 8

function showValue(value: unknown): string {
  if (typeof value === 'string')
    return value.length > longestText
      ? `${quoteShown(value.slice(0, longestText).toWellFormed())}…`
      : quoteShown(value)
  if (Array.isArray(value)) return `[${value.length} items]`
  if (typeof value === 'object' && value !== null) return `{${Object.keys(value).length} fields}`
  return String(value)
}

/** One line about a call, such as `shipping_cost({ weight_kg: 12 })`. Costs little, however large the input is. */
export function describeToolCall(toolName: string, input: unknown): string {
  if (typeof input !== 'object' || input === null) return `${toolName}(${showValue(input)})`
  const fields = Object.entries(input)
  const shown = fields
    .slice(0, mostFields)
    .map(
      ([name, value]) =>
        `${showText(name.slice(0, longestText).toWellFormed())}: ${showValue(value)}`,
    )
  if (fields.length > mostFields) shown.push('…')
  return shown.length === 0 ? `${toolName}({})` : `${toolName}({ ${shown.join(', ')} })`
}
