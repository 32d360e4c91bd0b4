import { Buffer } from 'node:buffer'
import { encodeContent, readEncodingName } from './file-encoding.ts'
import type { FileInput, FileOperation } from './file-input.ts'

/** One line for people about a call. */
export function describeFileCall(input: FileInput): string {
  return describers[input.operation](input, showPath(input.path))
}

const describers: Readonly<Record<FileOperation, (input: FileInput, path: string) => string>> = {
  read: (input, path) => `Read ${describeRange(input)}${path}`,
  write: (input, path) => `Write ${describeSize(input)} to ${path}`,
  append: (input, path) => `Append ${describeSize(input)} to ${path}`,
  delete: (_input, path) => `Delete ${path}`,
  exists: (_input, path) => `Check whether ${path} exists`,
  list: (_input, path) => `List the folder ${path}`,
  stat: (_input, path) => `Look up size and time of ${path}`,
  move: (input, path) => `Move ${path} to ${describeTarget(input)}`,
  copy: (input, path) => `Copy ${path} to ${describeTarget(input)}`,
  mkdir: (_input, path) => `Make the folder ${path}`,
}

// In quotes wherever a part of a path could pass for a part of the sentence, or would not show.
function showPath(path: string): string {
  const short = path.length > 200 ? `${path.slice(0, 200)}…` : path
  if (/^[\w./@+~-]+$/.test(short)) return short
  return JSON.stringify(short).replaceAll(
    /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu,
    (character) => (character === ' ' ? ' ' : `\\u{${character.codePointAt(0)?.toString(16)}}`),
  )
}

function describeRange({ offset, length }: FileInput): string {
  if (offset === undefined && length === undefined) return ''
  const begin = `from byte ${offset ?? 0}`
  return length === undefined ? `${begin} of ` : `${length} bytes ${begin} of `
}

function describeSize({ content = '', encoding }: FileInput): string {
  let size: number
  try {
    size = encodeContent(content, { encoding: readEncodingName(encoding), field: 'content' }).length
  } catch {
    // The call itself will say what is wrong with it.
    size = Buffer.byteLength(content)
  }
  return size === 1 ? '1 byte' : `${size} bytes`
}

function describeTarget({ to = '', overwrite }: FileInput): string {
  return `${showPath(to)}${overwrite === true ? ', replacing what is there' : ''}`
}
