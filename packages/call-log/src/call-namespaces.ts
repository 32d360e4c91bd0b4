import type { ClientBase } from 'pg'

/** Lists the namespaces that calls were made in, going from one to the next instead of through the calls. */
export async function listNamespaces(client: ClientBase, schema: string): Promise<string[]> {
  const next = (condition: string): string =>
    `(select s.namespace from ${schema}.tool_calls s where s.kind = 's'${condition} order by s.namespace limit 1)`
  const { rows } = await client.query<{ namespace: string }>(
    `with recursive found(namespace) as (
       select ${next('')}
       union all
       select ${next(' and s.namespace > found.namespace')} from found where found.namespace is not null
     )
     select namespace from found where namespace is not null`,
  )
  return rows.map(({ namespace }) => namespace)
}
