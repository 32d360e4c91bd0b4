import type { N8nDeployment, N8nDeployments } from '@toolcrib/kind-n8n'

/** Deployments whose secrets are known, so that they can be taken out of every output and log. */
export interface KnownDeployments extends Required<N8nDeployments> {
  /** Every secret that was read or written so far. */
  listSecrets(): readonly string[]
}

/** Remembers the secrets of what is read and written. Those of before are known once {@link N8nDeployments.list} was called. */
export function rememberSecrets(deployments: N8nDeployments): KnownDeployments {
  const secrets = new Set<string>()
  const remember = (deployment: N8nDeployment | undefined): void => {
    for (const secret of [deployment?.function?.secret, deployment?.progress?.secret])
      if (secret !== undefined) secrets.add(secret)
  }
  return {
    read: async (toolName) => {
      const found = await deployments.read(toolName)
      remember(found)
      return found
    },
    write: async (deployment) => {
      remember(deployment)
      await deployments.write(deployment)
    },
    remove: (toolName) => deployments.remove(toolName),
    list: async () => {
      const all = await deployments.list()
      for (const each of all) remember(each)
      return all
    },
    listBroken: async () => (await deployments.listBroken?.()) ?? [],
    listSecrets: () => [...secrets],
  }
}
