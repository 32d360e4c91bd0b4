import type { DeniedService } from '@toolcrib/policy/http'
import type { N8nSettings } from '../../settings/n8n-settings.ts'

/** What of an n8n server changes it; webhooks, which tools may call, are none of it. */
const adminPaths = ['/api', '/rest', '/mcp-server', '/mcp', '/mcp-test', '/types', '/push']

/** The parts of the operator's n8n that no tool reaches, whatever its policy says, and whether or not n8n tools are on. */
export function n8nAdminServices(settings: N8nSettings | undefined): readonly DeniedService[] {
  if (settings === undefined) return []
  const addresses = new Set([settings.baseUrl, settings.webhookBaseUrl ?? settings.baseUrl])
  return [...addresses].flatMap((address) => {
    const { hostname, pathname, port, protocol } = new URL(address)
    const base = pathname.replace(/\/+$/, '')
    return adminPaths.map((path) => ({
      host: hostname,
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      path: `${base}${path}`,
    }))
  })
}
