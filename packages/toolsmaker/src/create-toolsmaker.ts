import type { Toolsmaker } from './toolsmaker.ts'
import type { ToolsmakerOptions } from './toolsmaker-options.ts'

/** Builds the lifecycle over a store, a trust and kinds. */
export async function createToolsmaker(_options: ToolsmakerOptions): Promise<Toolsmaker> {
  throw new Error('not yet')
}
