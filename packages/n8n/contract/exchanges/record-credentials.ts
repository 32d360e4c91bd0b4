import type { JsonValue } from '@toolcrib/registry'
import type { ScriptRun } from './script-run.ts'
import { idOf } from './text-of.ts'

/** Credentials: what is taken, what is shown, what is gone. */
export async function recordCredentials(run: ScriptRun): Promise<void> {
  const { record } = run.recorder
  const create = async (title: string, body: JsonValue): Promise<string> => {
    const { status, json } = await record(title, 'POST /api/v1/credentials', { body })
    const id = idOf(json)
    if (status === 200) run.created.credentials.add(id)
    return id
  }
  const name = 'record'
  const data = { keyType: 'passphrase', secret: 'for-contract-tests', algorithm: 'HS256' }
  const id = await create('create a credential', {
    name,
    type: 'jwtAuth',
    data: { ...data, privateKey: '', publicKey: '' },
  })
  await create('create one without its keys', { name, type: 'jwtAuth', data })
  await create('create one for a header', {
    name,
    type: 'httpHeaderAuth',
    data: { name: 'x-key', value: 'for-contract-tests' },
  })
  await create('create one with an unknown value', {
    name,
    type: 'httpHeaderAuth',
    data: { name: 'x-key', value: 'x', foo: 'x' },
  })
  await create('create one with a value of the wrong type', {
    name,
    type: 'httpHeaderAuth',
    data: { name: 'x-key', value: 5 },
  })
  await create('create one of no known type', { name, type: 'nothing', data: {} })
  await create('create one without data', { name, type: 'jwtAuth' })
  await create('create one without a name', { type: 'jwtAuth', data: {} })
  await create('create one without a type', { name, data: {} })
  await record('list credentials', 'GET /api/v1/credentials')
  await record('get a credential', `GET /api/v1/credentials/${id}`)
  await record('get a credential that is not there', 'GET /api/v1/credentials/nothing')
  await record('the schema of a credential', 'GET /api/v1/credentials/schema/jwtAuth')
  await record('the schema of another', 'GET /api/v1/credentials/schema/httpHeaderAuth')
  await record('the schema of no known type', 'GET /api/v1/credentials/schema/nothing')
  await record('delete a credential', `DELETE /api/v1/credentials/${id}`)
  await record('delete it once more', `DELETE /api/v1/credentials/${id}`)
}
