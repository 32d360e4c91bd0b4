import { z } from 'zod'

/** What the shell tool is asked to run. */
export interface CommandInput {
  /** The program: a name in the search path, or a path; relative ones start in the working folder. */
  readonly command: string
  readonly args?: readonly string[] | undefined
  /** The working folder, relative to the workspace. */
  readonly cwd?: string | undefined
  /** Variables beside those that every command gets. */
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly stdin?: string | undefined
  /** How `stdin` is written. @default 'utf8' */
  readonly stdinEncoding?: 'utf8' | 'base64' | undefined
}

/** Linux takes no argument of 128 KiB or more. */
const maxArgumentBytes = 131_071
const maxArguments = 4_096
/** Below what Linux takes for arguments and variables together with a stack limit of 8 MiB. */
const maxTotalBytes = 1_048_576
const maxVariables = 256
const maxStdinLength = 10_485_760
const variableName = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/u
/** Marks the processes of a call; what a command says about it would mislead the search for them. */
export const markerVariable = 'TOOLCRIB_CALL'

const noNul = (text: string): boolean => !text.includes('\0')
const nulMessage = 'may not hold a NUL character; no operating system can pass one on'
const fitsArgument = (text: string): boolean => Buffer.byteLength(text) <= maxArgumentBytes
const tooLong = `may have at most ${maxArgumentBytes} bytes; give long texts through stdin or a file`
const text = z.string().refine(noNul, nulMessage).refine(fitsArgument, tooLong)
const path = z.string().min(1, 'may not be empty').max(4_096).refine(noNul, nulMessage)

/** Reads a {@link CommandInput}; what it does not know is an error. */
export const commandInputSchema: z.ZodType<CommandInput> = z
  .strictObject({
    command: path.describe('The program alone, such as "git"; its arguments go into args.'),
    args: z
      .array(text)
      .max(maxArguments, `may hold at most ${maxArguments} arguments`)
      .optional()
      .describe('Passed on as they are: no shell reads them, so nothing needs quotes.'),
    cwd: path.optional().describe('The working folder, relative to the workspace.'),
    env: z
      .record(z.string(), text)
      .optional()
      .describe('Variables for the command, beside those that it gets anyway.'),
    stdin: z
      .string()
      .max(maxStdinLength, `may have at most ${maxStdinLength} characters; use a file for more`)
      .optional()
      .describe('What the command reads from its standard input; it is empty otherwise.'),
    stdinEncoding: z.enum(['utf8', 'base64']).optional().describe('How stdin is written.'),
  })
  .superRefine((input, issues) => {
    const report = (field: string, message: string): void =>
      issues.addIssue({ code: 'custom', path: [field], message })
    const names = Object.keys(input.env ?? {})
    if (names.length > maxVariables) report('env', `may hold at most ${maxVariables} variables`)
    for (const name of names.slice(0, maxVariables)) {
      const problem = describeNameProblem(name) ?? describeSizeProblem(name, input.env?.[name])
      if (problem !== undefined) report('env', problem)
    }
    if (totalBytes(input) > maxTotalBytes)
      report(
        'args',
        `with env may have at most ${maxTotalBytes} bytes together; use stdin or a file`,
      )
    if (input.stdinEncoding === 'base64' && !isBase64(input.stdin ?? ''))
      report('stdin', 'is not base64; leave stdinEncoding out for plain text')
  })

function describeNameProblem(name: string): string | undefined {
  if (name === markerVariable) return `may not set ${markerVariable}; it marks the call's processes`
  if (variableName.test(name)) return undefined
  return `has a variable ${JSON.stringify(name.slice(0, 60))}: names are letters, digits and _, at most 128, no digit first`
}

function describeSizeProblem(name: string, value: string = ''): string | undefined {
  // They are passed on as one text, NAME=value.
  if (name.length + 1 + Buffer.byteLength(value) <= maxArgumentBytes) return undefined
  return `has ${name} with more than ${maxArgumentBytes} bytes, its name included; give long texts through stdin or a file`
}

function totalBytes({ command, args = [], env = {} }: CommandInput): number {
  let bytes = Buffer.byteLength(command)
  for (const argument of args) bytes += Buffer.byteLength(argument) + 1
  for (const [name, value] of Object.entries(env))
    bytes += name.length + Buffer.byteLength(value) + 2
  return bytes
}

function isBase64(value: string): boolean {
  return value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/u.test(value)
}
