import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createGotTransport, createN8nClient } from '@toolcrib/n8n'
import type { KeyPairText } from '@toolcrib/toolsmaker'
import { openN8nHost } from './n8n-host.ts'
import { adderRequest, adderWorkflow } from './n8n-workflows.ts'

// Puts a version into use, and kills itself right after n8n has done the request of the given number.

const [
  directory = '',
  keys = '',
  baseUrl = '',
  apiKey = '',
  namePrefix = '',
  killAt = '',
  plus = '',
] = process.argv.slice(2)
const transport = createGotTransport()
let isCounting = false
let count = 0
const client = createN8nClient({
  baseUrl,
  apiKey,
  transport: {
    send: async (request) => {
      const response = await transport.send(request)
      if (isCounting) count += 1
      // n8n 1.x cannot list credentials, so whoever cleans up has to be told.
      if (request.method === 'POST' && request.url.pathname.endsWith('/credentials'))
        await writeFile(
          join(directory, 'last-credential'),
          String((JSON.parse(response.body) as { id: unknown }).id),
        )
      if (isCounting && count === Number(killAt)) process.kill(process.pid, 'SIGKILL')
      return response
    },
  },
})
const host = await openN8nHost({
  client,
  directory,
  keys: JSON.parse(keys) as KeyPairText,
  kindOptions: { namePrefix },
})
isCounting = true
await host.make(adderRequest(adderWorkflow({ plus: Number(plus) }), { name: 'add_while_killed' }))
process.stdout.write('done\n')
await host.stop()
process.exit(0)
