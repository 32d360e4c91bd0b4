import type { WasmMemory } from './web-assembly.ts'
/** An address in the guest's memory. 0 is none. */
export type Address = number

/** What this package uses of the exports of `quickjs.wasm`. A value of the guest is the address of a box that holds it. */
export interface QuickJsExports {
  readonly memory: WasmMemory
  readonly __stack_pointer: { value: number }
  _initialize(): void
  qjs_init2(intrinsics: number): number
  qjs_get_quickjs_version(): Address
  qjs_set_interrupt_handler(isOn: number): void
  qjs_set_module_loader(isOn: number): void
  qjs_set_memory_limit(bytes: number): void
  qjs_set_max_stack_size(bytes: number): void
  qjs_run_gc(): void
  qjs_get_context_ptr(): Address
  JS_SetIsHTMLDDA(context: Address, value: bigint): void
  qjs_eval(source: Address, length: number, fileName: Address, flags: number): Address
  qjs_compile(
    source: Address,
    length: number,
    fileName: Address,
    evalFlags: number,
    compileFlags: number,
    lengthAt: Address,
  ): Address
  qjs_eval_bytecode(bytecode: Address, length: number): Address
  qjs_new_string(text: Address, length: number): Address
  qjs_new_number(value: number): Address
  qjs_get_undefined(): Address
  qjs_get_float64(value: Address): number
  qjs_get_string_len(value: Address, lengthAt: Address): Address
  qjs_free_cstring(text: Address): void
  qjs_is_exception(value: Address): number
  qjs_is_string(value: Address): number
  qjs_is_function(value: Address): number
  qjs_dup_value(value: Address): Address
  qjs_free_value(value: Address): void
  qjs_get_prop_string(object: Address, name: Address): Address
  qjs_define_prop_string(object: Address, name: Address, value: Address, flags: number): number
  qjs_call(callee: Address, receiver: Address, count: number, values: Address): Address
  qjs_new_host_function(name: Address, length: number, id: number): Address
  qjs_promise_state(promise: Address): number
  qjs_promise_result(promise: Address): Address
  qjs_promise_mark_as_handled(promise: Address): void
  qjs_is_job_pending(): number
  qjs_execute_pending_job(): number
  qjs_get_exception(): Address
  qjs_new_error(): Address
  qjs_throw(error: Address): void
  wasm_malloc(bytes: number): Address
  wasm_free(address: Address): void
}
