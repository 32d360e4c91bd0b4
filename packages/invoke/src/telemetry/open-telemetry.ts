/** The part of an OpenTelemetry span that is used. */
export interface SpanLike {
  spanContext(): { readonly traceId: string; readonly spanId: string }
  setAttribute(key: string, value: string | number | boolean): unknown
  setStatus(status: { code: number; message?: string }): unknown
  end(): void
}

/** The part of an OpenTelemetry context that is used. */
export interface ContextLike {
  getValue(key: symbol): unknown
  setValue(key: symbol, value: unknown): ContextLike
  deleteValue(key: symbol): ContextLike
}

/** The part of an OpenTelemetry tracer that is used: what `trace.getTracer()` gives can be passed as it is. */
export interface TracerLike {
  startSpan(
    name: string,
    options: { kind: number; attributes: Record<string, string> },
    context: ContextLike,
  ): SpanLike
}

interface ContextManagerLike {
  active(): ContextLike
  with<Value>(context: ContextLike, work: () => Value): Value
}

interface GlobalApi {
  readonly trace?: { getTracer(name: string): TracerLike }
  readonly context?: ContextManagerLike
}

// Where every 1.x copy of the API keeps what was registered, so that copies can find each other. Reading it there means
// that the API need not be imported, and may be registered after the invoker was made.
const globalKey = Symbol.for('opentelemetry.js.api.1')

/** The key under which the API keeps the span of a context. */
export const spanContextKey: symbol = Symbol.for('OpenTelemetry Context Key SPAN')

const tracerName = '@toolcrib/invoke'

function globalApi(): GlobalApi | undefined {
  return (globalThis as { [globalKey]?: GlobalApi })[globalKey]
}

/** The tracer of the provider that is registered now, if any. */
export function findGlobalTracer(): TracerLike | undefined {
  return globalApi()?.trace?.getTracer(tracerName)
}

/** The context that is active now; an empty one where no context manager is registered. */
export function activeContext(): ContextLike {
  return globalApi()?.context?.active() ?? emptyContext
}

/** Runs a function with a context active, where a context manager is registered. */
export function runInContext<Value>(context: ContextLike, work: () => Value): Value {
  const manager = globalApi()?.context
  return manager === undefined ? work() : manager.with(context, work)
}

function createContext(values: ReadonlyMap<symbol, unknown>): ContextLike {
  return {
    getValue: (key) => values.get(key),
    setValue: (key, value) => createContext(new Map(values).set(key, value)),
    deleteValue: (key) => createContext(new Map([...values].filter(([known]) => known !== key))),
  }
}

const emptyContext = createContext(new Map())
