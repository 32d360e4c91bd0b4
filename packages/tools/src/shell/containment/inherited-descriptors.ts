import { openSync, readFileSync, readdirSync } from 'node:fs'

/** `O_CLOEXEC`, as Linux shows it: the descriptor is not passed on to programs that are started. */
const closeOnExec = 0o2_000_000
/** Descriptors above are not looked after; a shell or a supervisor uses small numbers. */
const maxDescriptor = 1_023

/** What to put in place of descriptors that children would inherit: none, and something that holds nothing. */
export interface DescriptorMask {
  readonly numbers: readonly number[]
  readonly substitute: number
}

let mask: DescriptorMask | undefined

/**
 * Descriptors that this process was itself started with and would pass on to its children, whatever they are. Node
 * marks its own ones, and inherited ones only up to the first gap in their numbers.
 */
export function inheritedDescriptors(): DescriptorMask {
  mask ??= makeMask()
  return mask
}

function makeMask(): DescriptorMask {
  const numbers = listDescriptors().filter((number) => number > 2 && isInherited(number))
  return { numbers, substitute: numbers.length === 0 ? -1 : openSync('/dev/null', 'r') }
}

function listDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fdinfo')
      .map(Number)
      .filter((number) => number <= maxDescriptor)
  } catch {
    // Other systems do not tell.
    return []
  }
}

function isInherited(number: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/mu.exec(readFileSync(`/proc/self/fdinfo/${number}`, 'latin1'))
    return flags?.[1] !== undefined && (Number.parseInt(flags[1], 8) & closeOnExec) === 0
  } catch {
    // It was the one of the listing.
    return false
  }
}
