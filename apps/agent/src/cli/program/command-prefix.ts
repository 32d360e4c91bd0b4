/**
 * How this program was started, so that every command it prints works when pasted: by pnpm from a clone, or installed.
 */
export function commandPrefix(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const startedByScript = environment['npm_package_name'] === 'toolcrib-workspace'
  if (!startedByScript) return 'toolcrib'
  const version = /pnpm\/(\d+\.\d+\.\d+)/.exec(environment['npm_config_user_agent'] ?? '')?.[1]
  return version === undefined
    ? 'pnpm --silent toolcrib'
    : `npx -y pnpm@${version} --silent toolcrib`
}
