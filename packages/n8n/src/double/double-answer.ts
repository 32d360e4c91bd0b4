/** What the double sends back. */
export interface DoubleAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A JSON body, with the content type that n8n gives it. */
export function answerJson(status: number, value: unknown): DoubleAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(value),
  }
}

/** The public API's errors. */
export function answerMessage(status: number, message: string): DoubleAnswer {
  return answerJson(status, { message })
}

/** A page, as the web server below n8n sends it when nothing else answers. */
export function answerPage(status: number, text: string): DoubleAnswer {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>${text}</pre>\n</body>\n</html>\n`,
  }
}

/** Plain text without a content type, as the webhook node refuses callers. */
export function answerText(status: number, body: string): DoubleAnswer {
  return { status, headers: { 'www-authenticate': 'Basic realm="Webhook"' }, body }
}

/** Ends a request from anywhere below the routes. */
export class DoubleRefusal extends Error {
  readonly answer: DoubleAnswer

  constructor(answer: DoubleAnswer) {
    super(`refused with ${String(answer.status)}`)
    this.answer = answer
  }
}

/** Throws the public API's error of that status. */
export function refuse(status: number, message: string): never {
  throw new DoubleRefusal(answerMessage(status, message))
}
