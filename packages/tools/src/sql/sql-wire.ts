/**
 * The few messages of the Postgres protocol (version 3) that running one statement takes. A real server and the embedded
 * one speak it alike, so that both are driven, limited and read by the same code.
 */

/** A parameter as the server reads it; `null` is NULL. */
export type WireParameter = string | null

/** Any statement that a bound portal gives everything of. */
const noRowLimit = 0

/** Parses `query` as the unnamed statement, whose parameter types the server finds out. */
export function encodeParse(query: string): Buffer {
  return message('P', [cString(''), cString(query), int16(0)])
}

/** Asks for the types of the unnamed statement's parameters. */
export function encodeDescribeStatement(): Buffer {
  return message('D', [Buffer.from('S'), cString('')])
}

/** Binds text parameters to the unnamed statement, asks for the columns, and runs it for at most `maxRows` rows. */
export function encodeRun(
  parameters: readonly WireParameter[],
  maxRows: number = noRowLimit,
): Buffer {
  return Buffer.concat([
    encodeBind(parameters),
    message('D', [Buffer.from('P'), cString('')]),
    encodeExecute(maxRows),
  ])
}

/** Runs a statement of our own, whose columns are of no interest. */
export function encodeOwnStatement(query: string): Buffer {
  return Buffer.concat([encodeParse(query), encodeBind([]), encodeExecute(noRowLimit)])
}

/** Ends an exchange; the server answers when it has done all that came before. */
export function encodeSync(): Buffer {
  return message('S', [])
}

/** Refuses to send the data of a COPY FROM STDIN. */
export function encodeCopyFail(reason: string): Buffer {
  return message('f', [cString(reason)])
}

function encodeBind(parameters: readonly WireParameter[]): Buffer {
  const values = parameters.flatMap((parameter) => {
    if (parameter === null) return [int32(-1)]
    const bytes = Buffer.from(parameter)
    return [int32(bytes.length), bytes]
  })
  // No format codes: everything is text, in both directions.
  return message('B', [
    cString(''),
    cString(''),
    int16(0),
    int16(parameters.length),
    ...values,
    int16(0),
  ])
}

function encodeExecute(maxRows: number): Buffer {
  return message('E', [cString(''), int32(maxRows)])
}

function message(type: string, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`)
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
