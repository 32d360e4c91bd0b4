// What the author of a tool may use. In the sandbox `ctx` is an object of the guest, so these are types only.

export { authorDeclarations } from './author-declarations.ts'

type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

/** A request of a tool. */
export interface AuthorHttpRequest {
  readonly url: string
  /** @default 'GET' */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Text to send. */
  readonly body?: string
  /** A value to send as JSON; sets the content type. */
  readonly json?: Json
  /** In milliseconds. @default what is left of the call */
  readonly timeoutMs?: number
}

/** The answer to a request. A status of 400 or more is an answer, not an error. */
export interface AuthorHttpResponse {
  readonly status: number
  readonly ok: boolean
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Empty where the body is no text. */
  readonly text: string
  /** The body where it is no text, such as an image. */
  readonly base64?: string
  /** The text parsed as JSON; `null` where it is none. */
  readonly json: unknown
}

/** Requests of a tool; needs the capability `http`. */
export interface AuthorHttp {
  request(request: AuthorHttpRequest): Promise<AuthorHttpResponse>
  get(url: string, options?: Omit<AuthorHttpRequest, 'url' | 'method'>): Promise<AuthorHttpResponse>
  post(
    url: string,
    options?: Omit<AuthorHttpRequest, 'url' | 'method'>,
  ): Promise<AuthorHttpResponse>
  put(url: string, options?: Omit<AuthorHttpRequest, 'url' | 'method'>): Promise<AuthorHttpResponse>
  patch(
    url: string,
    options?: Omit<AuthorHttpRequest, 'url' | 'method'>,
  ): Promise<AuthorHttpResponse>
  delete(
    url: string,
    options?: Omit<AuthorHttpRequest, 'url' | 'method'>,
  ): Promise<AuthorHttpResponse>
  head(
    url: string,
    options?: Omit<AuthorHttpRequest, 'url' | 'method'>,
  ): Promise<AuthorHttpResponse>
}

/** Files of a tool; reading needs the capability `fs_read`, the rest `fs_write`. */
export interface AuthorFiles {
  readText(path: string): Promise<{ readonly text: string; readonly bytes: number }>
  readBytes(path: string): Promise<{ readonly base64: string; readonly bytes: number }>
  writeText(path: string, text: string): Promise<void>
  writeBytes(path: string, base64: string): Promise<void>
  appendText(path: string, text: string): Promise<void>
  exists(path: string): Promise<boolean>
  stat(path: string): Promise<{
    readonly type: 'file' | 'folder' | 'link' | 'other'
    readonly bytes: number
    readonly modifiedAt: string
  } | null>
  list(path: string): Promise<readonly string[]>
  createFolder(path: string): Promise<void>
  delete(path: string): Promise<void>
}

/** What a tool is given beside its input. */
export interface AuthorContext {
  readonly http: AuthorHttp
  readonly fs: AuthorFiles
  readonly secrets: {
    /** A placeholder for a secret: put it into a header; its value is filled in when the request leaves the host. */
    ref(name: string): Promise<string>
  }
  readonly tools: {
    /** Calls another tool; needs the capability `tools` with its name. Throws when the call fails. */
    call(name: string, input: Readonly<Record<string, unknown>>): Promise<unknown>
  }
  /** What is known about this call. */
  readonly call: {
    readonly id?: string
    readonly toolName?: string
    readonly agentId?: string
    readonly deadline?: number
  }
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string): void
  /** Waits, in milliseconds. */
  sleep(durationMs: number): Promise<void>
}
