import type { CodeContext, Frame } from './compile-expression.ts'
import type { ComputeError } from './compute-error.ts'
import { errorAt, errorOf } from './compute-issue.ts'
import type { ComputeLimits } from './compute-limits.ts'
import { checkValue, describeType, hostReadError, isPlainObject } from './json-value.ts'
import { escapedCandidates, suggestName } from './nearest-name.ts'
import { quoteText } from './quote-text.ts'

/**
 * Prepares to fill frames from arguments. Each call reads every argument in `wanted` once. One that
 * is missing stays undefined, for the step that needs it to report.
 */
export function prepareArguments(
  names: readonly string[],
  wanted: readonly string[],
  { limits, root }: { readonly limits: ComputeLimits; readonly root: string },
): (args: unknown) => Frame {
  const empty: Frame = Array.from({ length: names.length + 1 }, () => undefined)
  const inputs = wanted.map((name) => ({
    name,
    slot: names.indexOf(name),
    origin: { path: `${root}.${name}`, label: name, limits },
  }))
  return (args) => {
    let path = root
    try {
      if (!isPlainObject(args)) throw notAnObject(args, root)
      const frame = empty.slice()
      frame[names.length] = args
      for (const { name, slot, origin } of inputs) {
        ;({ path } = origin)
        if (Object.hasOwn(args, name)) frame[slot] = checkValue(args[name], origin)
      }
      return frame
    } catch (error) {
      throw hostReadError(error, path, 'bad_argument')
    }
  }
}

function notAnObject(args: unknown, root: string): ComputeError {
  return errorOf(root, {
    code: 'bad_argument',
    message: `the arguments must be a plain object, got ${describeType(args)}`,
    hint: 'Pass an object with one field for each argument, for example { "weight_kg": 12 }.',
  })
}

function argumentNames(frame: Frame): string[] {
  try {
    return escapedCandidates(Object.keys(frame.at(-1) ?? {}))
  } catch {
    // A proxy refused; the hint does without.
    return []
  }
}

/** How compiled code reports a variable without a value: with the names that were probably meant. */
export function reportUnassigned(names: readonly string[]): CodeContext['unassigned'] {
  return (slot, frame, { site, offset }) => {
    const name = names[slot] ?? ''
    const assigned = names.filter((_, index) => frame[index] !== undefined)
    const hint = suggestName(
      name,
      [...assigned, ...argumentNames(frame)],
      'Pass it as an argument, or assign it in an earlier step.',
    )
    const message = `unknown variable ${quoteText(name)}`
    return errorAt(site, offset, { code: 'unknown_variable', message, hint })
  }
}
