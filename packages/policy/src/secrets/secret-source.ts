import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { showQuoted } from '../policies/describe-text.ts'
import { policyError } from '../error-catalogue.ts'

/** Where the value of a secret comes from. */
export type SecretSource =
  | { readonly environment: string }
  | {
      readonly file: string
      /**
       * Takes a file that other users of the machine may read, such as Docker and Kubernetes mount them. Files that others
       * may change are never taken.
       *
       * @default false
       */
      readonly readableByOthers?: boolean
    }
  /** For tests, and for programs that hold their secrets elsewhere. */
  | { readonly value: string }

/** The longest value in bytes; Node takes 16 KiB for all headers of a request together. */
const maxSecretBytes = 8_192

/** The shortest value: shorter ones cannot be taken out of texts without tearing ordinary words apart. */
const minSecretLength = 6

/**
 * Reads the value of a secret.
 *
 * @throws {ToolError} SECRET_UNAVAILABLE naming where it was looked for; never shows a part of the value.
 */
export function readSecret(
  name: string,
  source: SecretSource,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const refuse: Refuse = (problem, cause) => {
    throw policyError('SECRET_UNAVAILABLE', `The secret ${name} cannot be used: ${problem}`, {
      data: { name },
      ...(cause === undefined ? {} : { cause }),
    })
  }
  if ('file' in source) return checkValue(readSecretFile(source, refuse), 'its file', refuse)
  if ('value' in source) return checkValue(source.value, 'its value', refuse)
  const variable = `the environment variable ${showQuoted(source.environment)}`
  const value = Object.hasOwn(environment, source.environment)
    ? environment[source.environment]
    : undefined
  if (value === undefined)
    return refuse(`${variable} is not set. Set it before the program starts.`)
  return checkValue(value, variable, refuse)
}

type Refuse = (problem: string, cause?: unknown) => never

function checkValue(value: string, where: string, refuse: Refuse): string {
  if (value === '') return refuse(`${where} is empty.`)
  if (Buffer.byteLength(value) > maxSecretBytes)
    return refuse(`${where} holds more than ${maxSecretBytes} bytes.`)
  if (value.length < minSecretLength)
    return refuse(
      `${where} holds fewer than ${minSecretLength} characters, too few to be found and hidden in texts.`,
    )
  if (/^\s|\s$/.test(value))
    return refuse(`${where} begins or ends with white space, which a header would lose. Remove it.`)
  // Line breaks would begin headers of their own; what is beyond Latin-1 cannot be sent in one.
  if (!/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value))
    return refuse(`${where} holds line breaks or other characters that cannot stand in a header.`)
  return value
}

function readSecretFile(
  source: { readonly file: string; readonly readableByOthers?: boolean },
  refuse: Refuse,
): string {
  const shown = `the file ${showQuoted(source.file)}`
  try {
    // Not blocking: a pipe with nobody at its other end would hold up the start for ever.
    const handle = openSync(source.file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const facts = fstatSync(handle)
      if (!facts.isFile()) return refuse(`${shown} is no plain file.`)
      checkMode({ mode: facts.mode, shown, mayRead: source.readableByOthers === true }, refuse)
      return decode(readBounded(handle, shown, refuse), shown, refuse)
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error) || error.code === 'SECRET_UNAVAILABLE')
      throw error
    return refuse(`${shown} cannot be read (${String(error.code)}).`, error)
  }
}

function checkMode(
  { mode, shown, mayRead }: { mode: number; shown: string; mayRead: boolean },
  refuse: Refuse,
): void {
  // Windows has other means, and Node reports modes there that say nothing.
  if (process.platform === 'win32') return
  const bits = (mode & 0o777).toString(8).padStart(3, '0')
  if ((mode & 0o022) !== 0)
    refuse(`${shown} may be changed by other users (mode ${bits}). Run chmod 600 on it.`)
  if ((mode & 0o055) !== 0 && !mayRead)
    refuse(
      `${shown} may be read by other users (mode ${bits}). Run chmod 600 on it, or say readableByOthers: true where a container mounts it so.`,
    )
}

function readBounded(handle: number, shown: string, refuse: Refuse): Buffer {
  // One byte more than allowed, and two for the line break at the end.
  const buffer = Buffer.alloc(maxSecretBytes + 3)
  let length = 0
  for (;;) {
    const read = readSync(handle, buffer, length, buffer.length - length, null)
    if (read === 0) return buffer.subarray(0, length)
    length += read
    if (length === buffer.length) return refuse(`${shown} holds more than ${maxSecretBytes} bytes.`)
  }
}

function decode(bytes: Buffer, shown: string, refuse: Refuse): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '')
  } catch {
    // The decoder's own error is not passed on: it could show bytes.
    return refuse(`${shown} is no text in UTF-8.`)
  }
}
