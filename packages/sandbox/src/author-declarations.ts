/**
 * What exists in the sandbox beside the language, as ambient TypeScript declarations for a type checker: `ToolContext` and
 * the globals. To be used with the library `es2024` alone, without those of the DOM and of Node. Of that library `Atomics`
 * and `Intl` do not exist in the sandbox.
 */
export const authorDeclarations: string = `
type ToolJson =
  | null
  | boolean
  | number
  | string
  | readonly ToolJson[]
  | { readonly [key: string]: ToolJson | undefined }

/** A request of a tool. */
interface ToolHttpRequest {
  readonly url: string
  /** GET where none is given. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: { readonly [name: string]: string | undefined }
  /** Text to send. */
  readonly body?: string
  /** A value to send as JSON; sets the content type. */
  readonly json?: ToolJson
  /** In milliseconds. */
  readonly timeoutMs?: number
}

/** The answer to a request. A status of 400 or more is an answer, not an error. */
interface ToolHttpResponse {
  readonly status: number
  /** Whether the status is 200 to 299. */
  readonly ok: boolean
  readonly url: string
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string }
  /** Empty where the body is no text. */
  readonly text: string
  /** The body where it is no text, such as an image. */
  readonly base64?: string
  /** The text parsed as JSON; null where it is none. */
  readonly json: any
}

interface ToolHttp {
  request(request: ToolHttpRequest): Promise<ToolHttpResponse>
  get(url: string, options?: Omit<ToolHttpRequest, 'url' | 'method'>): Promise<ToolHttpResponse>
  post(url: string, options?: Omit<ToolHttpRequest, 'url' | 'method'>): Promise<ToolHttpResponse>
  put(url: string, options?: Omit<ToolHttpRequest, 'url' | 'method'>): Promise<ToolHttpResponse>
  patch(url: string, options?: Omit<ToolHttpRequest, 'url' | 'method'>): Promise<ToolHttpResponse>
  delete(url: string, options?: Omit<ToolHttpRequest, 'url' | 'method'>): Promise<ToolHttpResponse>
  head(url: string, options?: Omit<ToolHttpRequest, 'url' | 'method'>): Promise<ToolHttpResponse>
}

interface ToolFileFacts {
  readonly type: 'file' | 'folder' | 'link' | 'other'
  readonly bytes: number
  readonly modifiedAt: string
}

interface ToolFiles {
  readText(path: string): Promise<{ readonly text: string; readonly bytes: number }>
  readBytes(path: string): Promise<{ readonly base64: string; readonly bytes: number }>
  writeText(path: string, text: string): Promise<void>
  writeBytes(path: string, base64: string): Promise<void>
  appendText(path: string, text: string): Promise<void>
  exists(path: string): Promise<boolean>
  stat(path: string): Promise<ToolFileFacts | null>
  list(path: string): Promise<readonly string[]>
  createFolder(path: string): Promise<void>
  delete(path: string): Promise<void>
}

/** What a tool is given beside its input. */
interface ToolContext {
  /** Needs the capability http. */
  readonly http: ToolHttp
  /** Reading needs the capability fs_read, the rest fs_write. */
  readonly fs: ToolFiles
  readonly secrets: {
    /** A placeholder for a secret: put it into a header. */
    ref(name: string): Promise<string>
  }
  readonly tools: {
    /** Calls another tool; needs the capability tools with its name. Throws when the call fails. */
    call(name: string, input: { readonly [key: string]: unknown }): Promise<any>
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

/** Goes to the log of the call. */
declare const console: {
  debug(...values: unknown[]): void
  log(...values: unknown[]): void
  info(...values: unknown[]): void
  warn(...values: unknown[]): void
  error(...values: unknown[]): void
  trace(...values: unknown[]): void
  dir(value: unknown): void
  table(value: unknown): void
  assert(isTrue: unknown, ...values: unknown[]): void
  group(...values: unknown[]): void
  groupCollapsed(...values: unknown[]): void
  groupEnd(): void
}

declare function setTimeout<Values extends unknown[]>(
  handler: (...values: Values) => void,
  delayMs?: number,
  ...values: Values
): number
declare function setInterval<Values extends unknown[]>(
  handler: (...values: Values) => void,
  delayMs?: number,
  ...values: Values
): number
declare function clearTimeout(id: number | undefined): void
declare function clearInterval(id: number | undefined): void
declare function queueMicrotask(task: () => void): void
declare function structuredClone<Value>(
  value: Value,
  options?: { readonly transfer?: readonly ArrayBuffer[] },
): Value
declare function atob(base64: string): string
declare function btoa(latin1: string): string

declare const performance: {
  /** Whole milliseconds. */
  now(): number
  readonly timeOrigin: number
}

declare const crypto: {
  readonly subtle: {
    digest(
      algorithm: 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512' | { readonly name: string },
      data: ArrayBuffer | ArrayBufferView,
    ): Promise<ArrayBuffer>
  }
  /** At most 65,536 bytes. */
  getRandomValues<Values extends ArrayBufferView>(values: Values): Values
  randomUUID(): string
}

declare class DOMException extends Error {
  constructor(message?: string, name?: string)
  readonly name: string
  readonly message: string
  readonly code: number
}

declare class TextEncoder {
  readonly encoding: string
  encode(text?: string): Uint8Array<ArrayBuffer>
  encodeInto(text: string, target: Uint8Array): { readonly read: number; readonly written: number }
}

/** UTF-8 only. */
declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean })
  readonly encoding: string
  readonly fatal: boolean
  readonly ignoreBOM: boolean
  decode(data?: ArrayBuffer | ArrayBufferView, options?: { readonly stream?: boolean }): string
}

declare class URLSearchParams {
  constructor(
    init?: string | URLSearchParams | Iterable<readonly [string, string]> | Record<string, string>,
  )
  readonly size: number
  append(name: string, value: string): void
  delete(name: string, value?: string): void
  get(name: string): string | null
  getAll(name: string): string[]
  has(name: string, value?: string): boolean
  set(name: string, value: string): void
  sort(): void
  forEach(visit: (value: string, name: string, params: URLSearchParams) => void, self?: unknown): void
  entries(): IterableIterator<[string, string]>
  keys(): IterableIterator<string>
  values(): IterableIterator<string>
  toString(): string
  [Symbol.iterator](): IterableIterator<[string, string]>
}

declare class URL {
  constructor(address: string | URL, base?: string | URL)
  static canParse(address: string | URL, base?: string | URL): boolean
  static parse(address: string | URL, base?: string | URL): URL | null
  href: string
  readonly origin: string
  protocol: string
  username: string
  password: string
  host: string
  hostname: string
  port: string
  pathname: string
  search: string
  readonly searchParams: URLSearchParams
  hash: string
  toString(): string
  toJSON(): string
}

interface AbortEvent {
  readonly type: 'abort'
  readonly target: AbortSignal
  readonly currentTarget: AbortSignal
}

declare class AbortSignal {
  private constructor()
  static abort(reason?: unknown): AbortSignal
  static timeout(durationMs: number): AbortSignal
  static any(signals: Iterable<AbortSignal>): AbortSignal
  readonly aborted: boolean
  readonly reason: any
  onabort: ((event: AbortEvent) => void) | null
  throwIfAborted(): void
  addEventListener(
    type: 'abort',
    listener: ((event: AbortEvent) => void) | { handleEvent(event: AbortEvent): void },
    options?: { readonly once?: boolean; readonly signal?: AbortSignal },
  ): void
  removeEventListener(
    type: 'abort',
    listener: ((event: AbortEvent) => void) | { handleEvent(event: AbortEvent): void },
  ): void
}

declare class AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}

interface Uint8Array<TArrayBuffer extends ArrayBufferLike> {
  toBase64(): string
  toHex(): string
}

interface Uint8ArrayConstructor {
  fromBase64(base64: string): Uint8Array<ArrayBuffer>
  fromHex(hex: string): Uint8Array<ArrayBuffer>
}
`
