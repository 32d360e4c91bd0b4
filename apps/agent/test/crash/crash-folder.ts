import { generateKeyPairSync } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KeyPairText } from '@toolcrib/toolsmaker'
import type { Fact } from './fact.ts'

/** The data of hosts that are killed one after the other, and beside it what they said. */
export class CrashFolder {
  readonly path: string = mkdtempSync(join(tmpdir(), 'toolcrib-crash-'))
  readonly data: string = join(this.path, 'data')
  readonly factsFile: string = join(this.path, 'facts.jsonl')
  readonly approver: KeyPairText = makeKeys()

  constructor() {
    const trust = join(this.data, 'trust')
    mkdirSync(trust, { recursive: true, mode: 0o700 })
    const files = {
      'policy.json': { ownerLimits },
      'approvers.json': [{ id: 'grace', name: 'Grace', publicKey: this.approver.publicKey }],
    }
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(trust, name), JSON.stringify(content), { mode: 0o600 })
    writeFileSync(this.factsFile, '')
  }

  /** Keeps what a host said for the next one. */
  keep(fact: Fact): void {
    appendFileSync(this.factsFile, `${JSON.stringify(fact)}\n`)
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** Three agents propose more in a moment than is usual. */
const ownerLimits = {
  pending: 100_000,
  proposalsPerMinute: 10_000,
  liveTools: 100_000,
  bytes: 1_000_000_000,
}

/** What `generateKeyPair` makes, without loading all that comes with it. */
function makeKeys(): KeyPairText {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    publicKey: publicKey.export({ format: 'jwk' }).x ?? '',
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
  }
}
