import type { ClientBase, Connection, Submittable } from 'pg'

/** What pg's connection can do that its types do not say. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/**
 * A COPY … FROM STDIN of data that is there as a whole. It is no stream: with one, an answer of the server that comes
 * before the socket has drained (a refusal, the loss of the connection) is thrown where nobody can catch it.
 */
class CopyQuery implements Submittable {
  /** pg replaces it where a connection has a time limit for queries. */
  callback: (error?: Error) => void = () => undefined
  readonly #text: string
  readonly #data: Buffer
  readonly #settle: (error?: Error) => void

  constructor(text: string, data: Buffer, settle: (error?: Error) => void) {
    this.#text = text
    this.#data = data
    this.#settle = settle
  }

  submit(connection: Pick<Connection, 'query'>): void {
    connection.query(this.#text)
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.#data)
    connection.endCopyFrom()
  }

  handleCommandComplete(): void {
    // The rows are visible to others only when the connection is ready again.
  }

  handleReadyForQuery(): void {
    this.callback()
    this.#settle()
  }

  handleError(error: Error): void {
    this.callback(error)
    this.#settle(error)
  }
}

/** Sends data to a COPY statement and waits until it is durable. */
export function copyIn(client: ClientBase, text: string, data: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => (error === undefined ? resolve() : reject(error))
    client.query(new CopyQuery(text, Buffer.from(data), settle))
  })
}
