import { sandboxError } from '../error-catalogue.ts'
import type { SandboxCallOptions, SandboxLoadOptions } from '../sandbox.ts'
import type { SandboxOptions } from './create-sandbox.ts'

const mebibyte = 1024 * 1024
const longestMs = 2 ** 31 - 1

interface Rule {
  readonly preset: number
  readonly min: number
  readonly max: number
}

const memory: Rule = { preset: 32 * mebibyte, min: 2 * mebibyte, max: 256 * mebibyte }

interface LoadNumbers {
  readonly timeoutMs: number
  readonly memoryBytes: number
}

interface CallNumbers extends LoadNumbers {
  readonly maxOutputBytes: number
  readonly maxHostCalls: number
  readonly maxConcurrentHostCalls: number
  readonly maxArgumentBytes: number
  readonly maxLogBytes: number
}

interface SandboxNumbers {
  readonly maxWorkers: number
  readonly maxCallsPerWorker: number
  readonly maxWaitingCalls: number
  readonly graceMs: number
  readonly maxModules: number
}

type Rules<Numbers> = { readonly [Name in keyof Numbers]: Rule }

const callRules: Rules<CallNumbers> = {
  timeoutMs: { preset: 30_000, min: 1, max: longestMs },
  memoryBytes: memory,
  maxOutputBytes: { preset: 10 * mebibyte, min: 1, max: 256 * mebibyte },
  maxHostCalls: { preset: 1000, min: 0, max: 1_000_000 },
  maxConcurrentHostCalls: { preset: 32, min: 1, max: 1000 },
  maxArgumentBytes: { preset: 10 * mebibyte, min: 2, max: 256 * mebibyte },
  maxLogBytes: { preset: 65_536, min: 0, max: 16 * mebibyte },
}

/** Nobody computes for longer than the call takes. */
const cpuRules: Rules<{ cpuMs: number }> = {
  cpuMs: { preset: longestMs, min: 1, max: longestMs },
}

const loadRules: Rules<LoadNumbers> = {
  timeoutMs: { preset: 2000, min: 1, max: longestMs },
  memoryBytes: memory,
}

const sandboxRules: Rules<SandboxNumbers> = {
  maxWorkers: { preset: 2, min: 1, max: 64 },
  maxCallsPerWorker: { preset: 16, min: 1, max: 64 },
  maxWaitingCalls: { preset: 1000, min: 0, max: 1_000_000 },
  graceMs: { preset: 250, min: 1, max: 60_000 },
  maxModules: { preset: 1000, min: 1, max: 100_000 },
}

function readNumbers<Numbers>(rules: Rules<Numbers>, given: object): Numbers {
  const found: Record<string, number> = {}
  for (const [name, { preset, min, max }] of Object.entries<Rule>(rules)) {
    const value: unknown = (given as Record<string, unknown>)[name] ?? preset
    const isWhole = name.endsWith('Ms') ? Number.isFinite(value) : Number.isSafeInteger(value)
    if (!isWhole || (value as number) < min || (value as number) > max)
      throw sandboxError(
        'SANDBOX_ARGUMENT_INVALID',
        `${name} must be a number from ${min} to ${max}, not ${describe(value)}`,
        { field: name },
      )
    found[name] = value as number
  }
  return found as Numbers
}

/** @throws {ToolError} SANDBOX_ARGUMENT_INVALID */
export function readCallLimits(
  options: SandboxCallOptions,
): CallNumbers & { readonly cpuMs: number } {
  const limits = readNumbers(callRules, options)
  return { ...limits, ...readNumbers(cpuRules, options) }
}

/** @throws {ToolError} SANDBOX_ARGUMENT_INVALID */
export function readLoadLimits(options: SandboxLoadOptions): LoadNumbers {
  return readNumbers(loadRules, options)
}

/** @throws {ToolError} SANDBOX_ARGUMENT_INVALID */
export function readSandboxLimits(options: SandboxOptions): SandboxNumbers {
  return readNumbers(sandboxRules, options)
}

function describe(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : String(value)
}
