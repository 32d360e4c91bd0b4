import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { isSame } from './both-worlds.ts'
import { GuestRunner } from './guest-runner.ts'

const guest = new GuestRunner()
afterAll(() => guest.close())

const scenes = fc.constantFrom(
  'const c = new AbortController(); seen.push(c.signal.aborted, c.signal.reason); c.abort(); seen.push(c.signal.aborted, c.signal.reason.name, c.signal.reason.code); c.abort("again"); seen.push(c.signal.reason.name)',
  'const c = new AbortController(); c.signal.onabort = (e) => seen.push("on", e.type, e.target === c.signal); c.signal.addEventListener("abort", () => seen.push("one")); c.abort(5); seen.push(c.signal.reason)',
  'const c = new AbortController(); const f = () => seen.push("f"); c.signal.addEventListener("abort", f); c.signal.addEventListener("abort", f); c.signal.addEventListener("abort", { handleEvent(e) { seen.push(e.type) } }); c.abort(); c.abort()',
  'const c = new AbortController(); const f = () => seen.push("f"); c.signal.addEventListener("abort", f); c.signal.removeEventListener("abort", f); c.signal.addEventListener("other", f); c.abort()',
  'const c = new AbortController(); const g = () => seen.push("g"); c.signal.addEventListener("abort", () => c.signal.removeEventListener("abort", g)); c.signal.addEventListener("abort", g); c.abort()',
  'const c = new AbortController(); const stop = new AbortController(); c.signal.addEventListener("abort", () => seen.push("never"), { signal: stop.signal }); stop.abort(); c.abort()',
  'const c = new AbortController(); c.abort(); c.signal.addEventListener("abort", () => seen.push("never"))',
  'try { AbortSignal.abort("why").throwIfAborted() } catch (e) { seen.push(e) } try { AbortSignal.abort().throwIfAborted() } catch (e) { seen.push(e.name, e instanceof DOMException) } new AbortController().signal.throwIfAborted()',
  'const a = new AbortController(), b = new AbortController(); const any = AbortSignal.any([a.signal, b.signal]); any.addEventListener("abort", () => seen.push("any")); b.signal.addEventListener("abort", () => seen.push("b", any.aborted)); b.abort(7); a.abort(8); seen.push(any.reason)',
  'const a = new AbortController(); const any = AbortSignal.any([AbortSignal.any([a.signal]), a.signal]); any.onabort = () => seen.push("deep"); a.abort(9); seen.push(any.reason, any.aborted)',
  'const any = AbortSignal.any([new AbortController().signal, AbortSignal.abort(1), AbortSignal.abort(2)]); seen.push(any.aborted, any.reason)',
  'const any = AbortSignal.any([]); seen.push(any.aborted)',
  'AbortSignal.any([1])',
  'AbortSignal.any(null)',
  'new AbortSignal()',
  'AbortSignal.timeout(-1)',
  'AbortSignal.timeout("x")',
  'const s = AbortSignal.timeout(1); seen.push(s.aborted); await new Promise((done) => s.addEventListener("abort", done)); seen.push(s.reason.name, s.reason.code)',
  'const c = new AbortController(); const work = new Promise((_, reject) => c.signal.addEventListener("abort", () => reject(c.signal.reason), { once: true })); c.abort(); await work.catch((e) => seen.push(e.name))',
  'seen.push(Object.prototype.toString.call(new AbortController()), Object.prototype.toString.call(new AbortController().signal), new AbortController().signal instanceof AbortSignal)',
)

test('AbortController and AbortSignal tell what those of Node tell, in the same order', async () => {
  await expect(
    isSame(
      guest,
      scenes,
      `async (scene) => {
      const seen = []
      try { await (async () => eval("(async () => {" + scene + "})()"))() } catch (error) { seen.push("threw " + (error.name ?? error)) }
      return seen
    }`,
    ),
  ).resolves.toBe(true)
})

test('a listener that throws keeps no other from being told, and is on the log', async () => {
  const { value, logs } = await guest.run(`
    const controller = new AbortController();
    const seen = [];
    controller.signal.addEventListener("abort", () => { throw new Error("first"); });
    controller.signal.addEventListener("abort", () => seen.push("second"));
    controller.abort();
    return seen;
  `)
  expect(value).toEqual(['second'])
  expect(logs).toEqual([{ level: 'error', message: 'A listener of an AbortSignal threw an error' }])
})
