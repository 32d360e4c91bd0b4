// Tests beside the sources know no types of Node, as the sources do.
const { process } = globalThis as unknown as {
  readonly process: { readonly env: Readonly<Record<string, string | undefined>> }
}

/** How many cases a property draws of the many that it draws in `pnpm test:long`: a third. */
export function howOften(many: number): number {
  return process.env['TOOLCRIB_LONG_TESTS'] === undefined ? Math.ceil(many / 3) : many
}
