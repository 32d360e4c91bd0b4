import type { JsonObject } from '@toolcrib/registry'
import type { OutsideState, ToolKind, ToolSpec } from '@toolcrib/toolsmaker'
import { createAdderKind } from './adder-kind.ts'

/** A server outside on which adder tools run, and which anybody may change. */
export interface Outside {
  /** What each tool adds there, by name. */
  readonly live: Map<string, number>
  /** The tools that the kind has put there and not taken down, as it remembers itself. */
  readonly up: Set<string>
  /** What a kind was asked, in order, such as `deploy plus_some v1`. */
  readonly asked: string[]
  /** What looking waits for, or fails with. */
  look: (signal: AbortSignal) => Promise<void>
  /** Overrides what looking gives. */
  answer?: OutsideState | undefined
  isDown: boolean
}

export function createOutside(): Outside {
  return { live: new Map(), up: new Set(), asked: [], look: async () => undefined, isDown: false }
}

const amountOf = ({ definition }: ToolSpec): number => Number((definition as JsonObject)['add'])
const label = ({ name, version }: ToolSpec): string => `${name} v${version}`

/** Adders that run outside: a call gives what is live there. */
export function createOutsideKind(outside: Outside, overrides: Partial<ToolKind> = {}): ToolKind {
  const { asked, live, up } = outside
  const reach = (): void => {
    if (outside.isDown) throw new Error('the server is away')
  }
  return createAdderKind({
    compile: ({ name }) => ({
      execute: async (input) => {
        const added = live.get(name)
        if (added === undefined) throw new Error(`${name} is not there`)
        return Number((input as JsonObject)['value']) + added
      },
    }),
    deploy: async (spec, { previous }) => {
      asked.push(
        `deploy ${label(spec)}${previous === undefined ? '' : ` after v${previous.version}`}`,
      )
      reach()
      live.set(spec.name, amountOf(spec))
      up.add(spec.name)
    },
    retire: async (spec, { replacement }) => {
      asked.push(
        `retire ${label(spec)}${replacement === undefined ? '' : ` for v${replacement.version}`}`,
      )
      reach()
      if (replacement === undefined) {
        live.delete(spec.name)
        up.delete(spec.name)
      } else {
        live.set(spec.name, amountOf(replacement))
        up.add(spec.name)
      }
    },
    settle: async (inUse) => {
      reach()
      const wanted = new Map(inUse.map((spec) => [spec.name, amountOf(spec)]))
      for (const name of up) if (!wanted.has(name)) live.delete(name)
      for (const [name, added] of wanted) if (!up.has(name)) live.set(name, added)
      up.clear()
      for (const name of wanted.keys()) up.add(name)
    },
    inspect: async (spec, { signal }) => {
      asked.push(`inspect ${label(spec)}`)
      await outside.look(signal)
      reach()
      if (outside.answer !== undefined) return outside.answer
      const added = live.get(spec.name)
      return added === amountOf(spec)
        ? { state: 'intact' }
        : { state: 'changed', reason: `it adds ${added ?? 'nothing'} there.` }
    },
    ...overrides,
  })
}
