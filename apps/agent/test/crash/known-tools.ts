import type { Toolsmaker } from '@toolcrib/toolsmaker'
import type { SeededRandom } from './seeded-random.ts'

/** A made tool that clients of this host know of. */
export interface KnownTool {
  readonly name: string
  readonly owner: string
  /** The number that its newest program returns. */
  token: number
}

/** Clients meet at the newest tools, so that much happens to each at once. */
const newest = 30

/** The tools that agents have made on this host. */
export class KnownTools {
  readonly #tools: KnownTool[] = []

  add(tool: KnownTool): void {
    this.#tools.push(tool)
  }

  pick(random: SeededRandom, owner?: string): KnownTool | undefined {
    const tools = this.#tools.filter((tool) => owner === undefined || tool.owner === owner)
    return random.pick(tools.slice(-newest))
  }

  ownerOf(name: string): string | undefined {
    return this.#tools.find((tool) => tool.name === name)?.owner
  }
}

/** A program that returns its token, whatever comes in. */
export function programOf(token: number): object {
  return {
    steps: [
      { op: 'math', expression: `x * 0 + ${token}`, output: 'result' },
      { op: 'return', value: 'result' },
    ],
  }
}

/** The number that the program of a version returns. */
export function tokenOf(toolsmaker: Toolsmaker, name: string, version: number): number {
  const definition = JSON.stringify(toolsmaker.getSpec(name, version)?.definition)
  return Number(/x \* 0 \+ (\d+)/.exec(definition)?.[1])
}
