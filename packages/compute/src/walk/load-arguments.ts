import type { ComputeError } from '../language/compute-error.ts'
import { errorAt, errorOf, type Site } from '../language/compute-issue.ts'
import type { Program } from '../language/program.ts'
import { escapedCandidates, suggestName } from '../text/nearest-name.ts'
import { quoteText } from '../text/quote-text.ts'
import { checkValue, describeType, hostReadError, isPlainObject } from '../values/json-value.ts'
import { checkDeclared, type DeclaredPlace } from './check-declared.ts'
import type { Run } from './run.ts'

/**
 * Makes the frame of a run: every table, and every argument read once, own properties only. Declared arguments
 * are checked at every level that is declared. Of others one that is missing stays undefined, for the step that
 * needs it to report. The frame has one slot more, which holds the arguments.
 *
 * @param program - a checked program
 * @param inputSlots - slots of arguments where the program declares none; where it does, they are not looked at
 * @param args - what the caller passed
 * @throws {ComputeError} bad_argument, precision, limit
 */
export function loadArguments(
  program: Program,
  inputSlots: readonly number[],
  args: unknown,
): unknown[] {
  return loadFrom('args', { program, inputSlots }, args)
}

/** The same for arguments that go by another name than `args` in errors. */
export function loadFrom(
  root: string,
  { program, inputSlots }: { readonly program: Program; readonly inputSlots: readonly number[] },
  args: unknown,
): unknown[] {
  const { names, limits, tables, inputs } = program
  const frame: unknown[] = Array.from({ length: names.length + 1 })
  const place: DeclaredPlace = {
    limits,
    check: (value, label) => checkValue(value, { path: `${root}.${label}`, label, limits }),
    error: (label, problem) => errorOf(`${root}.${label}`, { code: 'bad_argument', ...problem }),
  }
  let path = root
  try {
    if (!isPlainObject(args)) throw notAnObject(args, root)
    frame[names.length] = args
    const wanted =
      inputs ??
      inputSlots.map((slot) => ({ slot, name: names[slot] ?? '', declaration: undefined }))
    for (const { slot, name, declaration } of wanted) {
      path = `${root}.${name}`
      const isGiven = Object.hasOwn(args, name)
      const value = isGiven ? args[name] : undefined
      if (declaration === undefined) {
        if (isGiven) frame[slot] = place.check(value, name)
      } else if (value === undefined) {
        if (declaration.default === undefined) throw missing(place, name)
        frame[slot] = declaration.default
      } else if (value === null && declaration.default === null) frame[slot] = value
      else frame[slot] = checkDeclared(value, declaration, { place, label: name })
    }
  } catch (error) {
    throw hostReadError(error, path, 'bad_argument')
  }
  for (const { slot, value } of tables) frame[slot] = value
  return frame
}

const missing = (place: DeclaredPlace, name: string): ComputeError =>
  place.error(name, { message: `the argument ${name} is missing`, hint: 'Pass it.' })

function notAnObject(args: unknown, root: string): ComputeError {
  return errorOf(root, {
    code: 'bad_argument',
    message: `the arguments must be a plain object, got ${describeType(args)}`,
    hint: 'Pass an object with one field for each argument, for example { "weight_kg": 12 }.',
  })
}

function argumentNames(frame: readonly unknown[]): string[] {
  try {
    return escapedCandidates(Object.keys(frame.at(-1) ?? {}))
  } catch {
    // A proxy refused; the hint does without.
    return []
  }
}

/** The error for a variable without a value, with the name that was probably meant. */
export function reportUnassigned(
  { program: { names }, frame }: Run,
  slot: number,
  { site, offset }: { readonly site: Site; readonly offset: number },
): ComputeError {
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
