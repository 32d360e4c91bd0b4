import { z } from 'zod'
import type { StoredEvent } from '../events/event-store.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { signStatement } from '../statements/sign-statement.ts'
import type { StatementEnvelope } from '../statements/statement-envelope.ts'
import type { StatementType } from '../statements/statement-type.ts'
import { peekStatement, verifyStatement } from '../statements/verify-statement.ts'
import { hashReport } from './report-hash.ts'

/** What the host signs of a validation report when it writes it: which report it made, of what, and where it stands. */
interface ReportAttestation {
  /** Identity of the event log. */
  readonly store: string
  readonly namespace: string
  readonly kind: string
  readonly name: string
  readonly version: number
  /** Names who proposed the version, too. */
  readonly contentHash: string
  readonly reportHash: string
  /** The event that holds the report. */
  readonly sequence: number
  /** Whether it is the first report of the version: then its very content was proposed to this host. */
  readonly first: boolean
}

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
const count = z.number().int().min(1)

/** Attestations of validation reports, which the host signs. */
const attestationType: StatementType<ReportAttestation> = {
  payloadType: 'application/vnd.toolcrib.validation.v2+json',
  schema: z.strictObject({
    store: sha256,
    namespace: z.string(),
    kind: z.string(),
    name: z.string(),
    version: count,
    contentHash: sha256,
    reportHash: sha256,
    sequence: count,
    first: z.boolean(),
  }),
}

/** What attestations are made and verified with. */
type Attesting = Pick<LifecycleEngine, 'identity' | 'namespace' | 'trust'>

/** Where a report stands, and what it is. */
type AttestedReport = Pick<ReportAttestation, 'reportHash' | 'sequence' | 'first'>

/** Has the host sign for a report that it is about to write. */
export async function attestReport(
  host: Attesting,
  record: VersionRecord,
  report: AttestedReport,
): Promise<StatementEnvelope> {
  return signStatement(
    attestationType,
    attestationOf(host, record, report),
    host.trust.hostSigner(),
  )
}

/** Tells why a row of the log does not hold a report that this host made of a version, or `undefined` when it does. */
export async function describeAttestationProblem(
  host: Attesting,
  record: VersionRecord,
  { event, sequence }: StoredEvent,
): Promise<string | undefined> {
  if (event === undefined || !('report' in event)) return 'it holds no report'
  const { opened, problem } = peekStatement(attestationType, event.attestation)
  if (opened === undefined)
    return event.attestation === undefined ? 'there is no attestation' : problem
  let reportHash: string
  try {
    reportHash = hashReport(event.report)
  } catch {
    return 'the report is not JSON'
  }
  const first = event.type !== 'tool_validated_again'
  const expected = attestationOf(host, record, { reportHash, sequence, first })
  for (const field of Object.keys(expected) as (keyof ReportAttestation)[])
    if (opened.statement[field] !== expected[field]) return `it is for another ${field}`
  return verifyStatement(attestationType, opened, host.trust.hostSigner())
}

/**
 * Whether the content of a version, and with it the name of its proposer, was proposed to this host. Of one that somebody wrote
 * into the log nobody knows who proposed it, also once it was validated here.
 */
export async function isProposalKnown(
  engine: Pick<LifecycleEngine, 'store'> & Attesting,
  record: VersionRecord,
): Promise<boolean> {
  const { firstReportSequence: sequence } = record
  if (sequence === undefined) return false
  const [row] = await engine.store.read(sequence, sequence)
  return row !== undefined && (await describeAttestationProblem(engine, record, row)) === undefined
}

function attestationOf(
  { identity: store, namespace }: Attesting,
  { contentHash, kind, name, version }: VersionRecord,
  report: AttestedReport,
): ReportAttestation {
  return { store, namespace, kind, name, version, contentHash, ...report }
}
