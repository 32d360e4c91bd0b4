import type { Sandbox } from '@toolcrib/sandbox'

/** What one call in a sandbox gave. */
export type SandboxTrial =
  | { readonly ok: true; readonly engine: string; readonly durationMs: number }
  | { readonly ok: false; readonly problem: string }

const source = 'export default ({ a, b }) => a + b'

/** How long starting workers and one call may take on a machine under load, in milliseconds. */
const timeoutMs = 20_000

/** Calls a function that adds two numbers; says whether a sandbox works here, and never throws. */
export async function trySandbox(
  open: () => Sandbox | Promise<Sandbox>,
  signal: AbortSignal,
): Promise<SandboxTrial> {
  try {
    const sandbox = await open()
    const { name, version } = sandbox.engine
    const loaded = await sandbox.load({ source }, { timeoutMs, signal })
    if (!loaded.ok) return { ok: false, problem: `${loaded.reason}: ${loaded.message}` }
    const outcome = await sandbox.call(loaded.hash, '{"a":20,"b":22}', { timeoutMs, signal })
    if (!outcome.ok) return { ok: false, problem: `${outcome.reason}: ${outcome.message}` }
    return outcome.json === '42'
      ? { ok: true, engine: `${name} ${version}`, durationMs: outcome.durationMs }
      : { ok: false, problem: `20 + 22 gave ${outcome.json.slice(0, 100)}` }
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) }
  }
}
