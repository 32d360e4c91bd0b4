import { randomFillSync } from 'node:crypto'
import type { Address, QuickJsExports } from './quickjs-exports.ts'
import { type WasmModule, webAssembly } from './web-assembly.ts'

/** What an instance asks of the one who runs it. Whatever these throw ends the guest at once, without its knowing. */
export interface InstanceHandler {
  /** The guest called its one function of the host. @returns a value of the guest */
  onNativeCall(count: number, values: Address): Address
  /** The guest has been computing for a while; may throw. */
  onInterrupt(): void
  /** The name under which an import is known, if it may be had. */
  resolveImport(specifier: string): string | undefined
  /** The source behind such a name. */
  readImport(name: string): string | undefined
}

/** How deep the guest may recurse, in bytes of its own stack. */
const maxStackBytes = 256 * 1024
const scratchBytes = 64 * 1024
/** Free in the memory that every call starts from, so that small calls need not make it grow. */
const spareBytes = 256 * 1024
const everyIntrinsic = 0xffffffff
const noLimit = 0xffffffff
const badDescriptor = 8
const stripSource = 1 << 4
const stripDebug = 1 << 5

/** Where things lie that every instance of one image has. */
export interface Layout {
  readonly scratch: Address
  readonly values: Address
  readonly undefinedValue: Address
}

const nowhere: Layout = { scratch: 0, values: 0, undefinedValue: 0 }

/** The version of the engine in a module. */
export function readEngineVersion(module: WasmModule): string {
  return new QuickJsInstance(module, nowhere).version
}

/** One QuickJS in one WebAssembly memory. Only strings and numbers go in and out. */
export class QuickJsInstance {
  readonly exports: QuickJsExports
  handler: InstanceHandler | undefined
  /** Since when the guest's monotonic clock runs, as in `performance.now()`. */
  clockStart = 0
  readonly layout: Layout
  #bytes: Buffer
  #view: DataView

  /** @param layout of the image that its memory will be restored from; without one a new engine is started */
  constructor(module: WasmModule, layout?: Layout) {
    const instance = new webAssembly.Instance(module, {
      env: {
        host_get_timezone_offset: () => 0,
        host_interrupt: () => {
          this.handler?.onInterrupt()
          return 0
        },
        host_promise_rejection: () => undefined,
        host_module_normalize: (_base: Address, name: Address) => this.#resolveImport(name),
        host_module_load: (name: Address, lengthAt: Address) => this.#readImport(name, lengthAt),
        // oxlint-disable-next-line max-params -- the engine calls it with five values
        host_call: (
          _name: Address,
          _length: number,
          _this: Address,
          count: number,
          values: Address,
        ) => this.handler?.onNativeCall(count, values) ?? this.undefinedValue,
      },
      wasi_snapshot_preview1: {
        clock_time_get: (clock: number, _precision: bigint, at: Address) =>
          this.#writeTime(clock, at),
        random_get: (at: Address, length: number) => {
          randomFillSync(this.bytes, at, length)
          return 0
        },
        // Nothing that the engine prints goes anywhere.
        fd_write: () => badDescriptor,
        fd_close: () => badDescriptor,
        fd_fdstat_get: () => badDescriptor,
        fd_seek: () => badDescriptor,
      },
    })
    this.exports = instance.exports as unknown as QuickJsExports
    this.#bytes = Buffer.from(this.exports.memory.buffer)
    this.#view = new DataView(this.exports.memory.buffer)
    this.layout = layout ?? this.#start()
  }

  get undefinedValue(): Address {
    return this.layout.undefinedValue
  }

  /** The guest's memory as it is now. */
  get bytes(): Buffer {
    if (this.#bytes.buffer !== this.exports.memory.buffer) {
      this.#bytes = Buffer.from(this.exports.memory.buffer)
      this.#view = new DataView(this.exports.memory.buffer)
    }
    return this.#bytes
  }

  get version(): string {
    return this.#readName(this.exports.qjs_get_quickjs_version())
  }

  /** @param bytes of memory that the guest may take; none for no limit */
  limitMemory(bytes?: number): void {
    this.exports.qjs_set_memory_limit(bytes ?? noLimit)
  }

  /** Makes room for what a small call needs. */
  reserve(): void {
    this.exports.wasm_free(this.exports.wasm_malloc(spareBytes))
  }

  /** A string of the guest. */
  newString(text: string): Address {
    return this.#withText(text, (at, length) => this.exports.qjs_new_string(at, length))
  }

  newNumber(value: number): Address {
    return this.exports.qjs_new_number(value)
  }

  /** Calls a function of the guest with up to 16 values. Check the answer with {@link takeException}. */
  call(callee: Address, values: readonly Address[]): Address {
    // Taken first: reading `bytes` brings the view up to date.
    void this.bytes
    for (const [index, value] of values.entries())
      this.#view.setUint32(this.layout.values + index * 4, value, true)
    return this.exports.qjs_call(callee, this.undefinedValue, values.length, this.layout.values)
  }

  /** One of the values handed to a native call. */
  valueAt(values: Address, index: number): Address {
    void this.bytes
    return this.#view.getUint32(values + index * 4, true)
  }

  toNumber(value: Address): number {
    return this.exports.qjs_get_float64(value)
  }

  /** The text of a string of the guest; `undefined` for other values and for texts above a size, in bytes of UTF-8. */
  readString(value: Address, maxBytes: number = Number.MAX_SAFE_INTEGER): string | undefined {
    if (this.exports.qjs_is_string(value) === 0) return undefined
    const text = this.exports.qjs_get_string_len(value, this.layout.values)
    if (text === 0) return undefined
    void this.bytes
    const length = this.#view.getUint32(this.layout.values, true)
    const found = length > maxBytes ? undefined : this.#bytes.toString('utf8', text, text + length)
    this.exports.qjs_free_cstring(text)
    return found
  }

  /** The exception behind an answer of the engine, if it is one. */
  takeException(answer: Address): Address | undefined {
    return this.exports.qjs_is_exception(answer) === 0
      ? undefined
      : this.exports.qjs_get_exception()
  }

  /** Runs a script or a module. */
  evaluate(source: string, fileName: string, isModule = false): Address {
    // Both texts may be in use at once, so the short one gets its own place.
    const name = this.#allocate(fileName)
    const answer = this.#withText(source, (at, length) =>
      this.exports.qjs_eval(at, length, name, isModule ? 1 : 0),
    )
    this.exports.wasm_free(name)
    return answer
  }

  /** Runs a script of this package; its text and its line numbers are not kept, which spares memory in every image. */
  evaluateOwn(source: string, fileName: string): Address {
    const name = this.#allocate(fileName)
    const code = this.#withText(source, (at, length) =>
      this.exports.qjs_compile(at, length, name, 0, stripSource | stripDebug, this.layout.values),
    )
    this.exports.wasm_free(name)
    if (code === 0) throw new Error(`The sandbox does not start: ${fileName} is no script`)
    void this.bytes
    const answer = this.exports.qjs_eval_bytecode(
      code,
      this.#view.getUint32(this.layout.values, true),
    )
    this.exports.wasm_free(code)
    return answer
  }

  property(object: Address, name: string): Address {
    return this.#withText(name, (at) => this.exports.qjs_get_prop_string(object, at))
  }

  /** Makes `typeof` say `undefined` of an object, as browsers do with what must look absent and can still be called. */
  hideType(object: Address): void {
    const context = this.exports.qjs_get_context_ptr()
    void this.bytes
    this.exports.JS_SetIsHTMLDDA(context, this.#view.getBigInt64(object, true))
  }

  newHostFunction(name: string): Address {
    return this.#withText(name, (at, length) => this.exports.qjs_new_host_function(at, length, 0))
  }

  /** Throws an error with a message into the guest; for use in a native call, which then answers 0. */
  throwError(message: string): 0 {
    const error = this.exports.qjs_new_error()
    const text = this.newString(message)
    const hidden = 1 | 2
    this.#withText('message', (at) => this.exports.qjs_define_prop_string(error, at, text, hidden))
    this.exports.qjs_free_value(text)
    this.exports.qjs_throw(error)
    this.exports.qjs_free_value(error)
    return 0
  }

  #start(): Layout {
    const engine = this.exports
    // oxlint-disable-next-line no-underscore-dangle -- the name that WASI gives it
    engine._initialize()
    if (engine.qjs_init2(everyIntrinsic) !== 0) throw new Error('QuickJS did not start')
    engine.qjs_set_max_stack_size(maxStackBytes)
    engine.qjs_set_interrupt_handler(1)
    engine.qjs_set_module_loader(1)
    const scratch = engine.wasm_malloc(scratchBytes)
    const values = engine.wasm_malloc(16 * 4)
    return { scratch, values, undefinedValue: engine.qjs_get_undefined() }
  }

  #writeTime(clock: number, at: Address): number {
    void this.bytes
    // The second clock starts anew with each call: a guest learns nothing of how long others have been running.
    const milliseconds = clock === 0 ? Date.now() : performance.now() - this.clockStart
    this.#view.setBigUint64(at, BigInt(Math.round(milliseconds * 1e6)), true)
    return 0
  }

  #resolveImport(nameAt: Address): Address {
    const specifier = this.#readName(nameAt)
    const name = this.handler?.resolveImport(specifier)
    if (name !== undefined) return this.#allocate(name)
    this.throwError(
      `Cannot import ${JSON.stringify(specifier.slice(0, 200))}: it is not known here`,
    )
    return 0
  }

  #readImport(nameAt: Address, lengthAt: Address): Address {
    const source = this.handler?.readImport(this.#readName(nameAt))
    if (source === undefined) {
      this.throwError('Cannot import: it is not known here')
      return 0
    }
    const text = this.#allocate(source)
    void this.bytes
    this.#view.setUint32(lengthAt, Buffer.byteLength(source), true)
    return text
  }

  #readName(at: Address): string {
    const end = this.bytes.indexOf(0, at)
    return this.#bytes.toString('utf8', at, end)
  }

  #allocate(text: string): Address {
    const length = Buffer.byteLength(text)
    const at = this.exports.wasm_malloc(length + 1)
    if (at === 0) throw new RangeError('The memory of the engine is full')
    this.bytes.write(text, at, length, 'utf8')
    this.#bytes[at + length] = 0
    return at
  }

  #withText(text: string, use: (at: Address, length: number) => Address): Address {
    if (text.length * 3 < scratchBytes) {
      const length = this.bytes.write(text, this.layout.scratch, scratchBytes - 1, 'utf8')
      this.#bytes[this.layout.scratch + length] = 0
      return use(this.layout.scratch, length)
    }
    const at = this.#allocate(text)
    const answer = use(at, Buffer.byteLength(text))
    this.exports.wasm_free(at)
    return answer
  }
}
