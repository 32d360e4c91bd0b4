/** The workspace as somebody named it for this start of a host; an empty variable names none. */
export function namedWorkspace({
  workspace,
  environment = process.env,
}: {
  readonly workspace?: string | undefined
  readonly environment?: Readonly<Record<string, string | undefined>>
}): string | undefined {
  const variable = environment['TOOLCRIB_WORKSPACE']
  return workspace ?? (variable === undefined || variable.trim() === '' ? undefined : variable)
}
