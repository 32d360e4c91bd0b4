import type {
  JsonObject,
  JsonValue,
  ToolAnnotations,
  ToolDefinition,
  ToolRisk,
} from '@toolcrib/registry'
import type { ToolSpec } from './tool-spec.ts'
import type { EvidenceRun, ValidationCheck } from './validation/validation-report.ts'

/** What a kind is asked about. Deeply frozen. */
export interface ToolProposal {
  readonly spec: ToolSpec
  /** The last approved version of the tool, where there is one. */
  readonly previous?: ToolSpec
}

/** What every question to a kind carries. */
export interface KindHookOptions {
  /** Aborts when the time for the answer is over. */
  readonly signal: AbortSignal
}

/** What a kind makes of a spec: the parts of a tool definition that only the kind can know. */
export type CompiledTool = Pick<ToolDefinition, 'execute' | 'describeCall'>

/** The source of a version, as a file for people to read. */
export interface RenderedSource {
  /** Without a dot, such as `ts`; 1 to 10 letters and digits. */
  readonly extension: string
  readonly text: string
}

/** What putting a version into use carries. */
export interface DeployOptions extends KindHookOptions {
  /** The version that is in use until now, if one is; it has to stay usable when deploying fails. */
  readonly previous?: ToolSpec
}

/** What taking a version out of use carries. */
export interface RetireOptions extends KindHookOptions {
  /** The version that is in use from now on, if one is; it has to be left, or made, usable. */
  readonly replacement?: ToolSpec
}

/** Whether what lives outside is what was put into use. */
export type OutsideState =
  | { readonly state: 'intact' }
  /** Somebody changed it; the version goes out of use as `tool_tampered`, with this reason, until a person decides. */
  | { readonly state: 'changed'; readonly reason: string }
  /** It could not be asked; nothing is known. */
  | { readonly state: 'unknown'; readonly reason: string }

type Answer<Value> = Value | Promise<Value>

/** The least risk that something has, and why. */
export interface ImpliedRisk {
  readonly risk: ToolRisk
  readonly why: string
}

/**
 * One kind of made tool: how a definition is checked, tried, explained and turned into something callable.
 *
 * A kind is trusted code, handed over when the program starts. A kind that throws, or answers late, fails the one
 * operation that asked; answers other than {@link ToolKind.compile} may be promises.
 */
export interface ToolKind {
  /** Such as `compute`; a lower-case letter, then up to 31 lower-case letters, digits and "-". */
  readonly kind: string
  /**
   * Changes whenever the same definition could behave differently, such as with the version of an engine. Versions in use
   * are then tried once more at the next start, others when they are put into use, and those that behave differently are held
   * until a person decides.
   *
   * @default definitions never behave differently
   */
  readonly fingerprint?: string
  /**
   * Why no rule may approve tools of this kind, such as that they cannot be tried; goes on record as the reason for which a
   * person has to decide.
   *
   * @default the policy decides
   */
  readonly needsPerson?: string
  /** Static checks of the definition; nothing of it runs. */
  check(proposal: ToolProposal, options: KindHookOptions): Answer<readonly ValidationCheck[]>
  /** Runs the examples, or generated inputs where there are none, with every host operation simulated. */
  gatherEvidence(proposal: ToolProposal, options: KindHookOptions): Answer<readonly EvidenceRun[]>
  /** What the tool may do, in plain sentences; empty means nothing. Must follow from the spec alone. */
  describePowers(proposal: ToolProposal): Answer<readonly string[]>
  /**
   * What the tool does, step by step, in plain sentences. Must follow from the spec alone. What is left out has to be said as
   * `boundSentences` says it ("12 more …"); the review then shows the definition, as it does when a text of it stands in no step.
   */
  describeSteps(proposal: ToolProposal): Answer<readonly string[]>
  /** What changed since `proposal.previous`, in plain sentences. */
  describeChange?(proposal: ToolProposal): Answer<readonly string[]>
  /** The source for `generated/<name>_v<N>.<extension>`. @default the definition as JSON */
  renderSource?(spec: ToolSpec): Answer<RenderedSource>
  /** The kind's own fields of `custom-tools/<name>.json`, such as `{ logic }`. */
  toCustomTool?(spec: ToolSpec): Answer<JsonObject>
  /**
   * The least risk that the definition implies, and why in a few words, where it reaches what no capability names. Must follow from
   * the definition alone, and never throw.
   *
   * @default what the capabilities imply
   */
  impliedRisk?(definition: JsonValue): ImpliedRisk | undefined
  /** MCP's hints, without trying anything. @default none for a tool without capabilities, cautious ones with */
  annotate?(spec: ToolSpec): ToolAnnotations
  /** Makes the callable. Called on activation, and after a restart on the first call. */
  compile(spec: ToolSpec): CompiledTool
  /** Sets up what lives outside, before the version is put into use. A failure has to leave things as they were. */
  deploy?(spec: ToolSpec, options: DeployOptions): Promise<void>
  /** Takes down what lives outside, after the version went out of use. */
  retire?(spec: ToolSpec, options: RetireOptions): Promise<void>
  /**
   * Makes what lives outside that which it should be: the versions of the kind that are in use put up, all else taken down. Asked
   * at each start, before anything is inspected, so that what a crash or a server that was down left outside is cleared away and
   * what is half done finished. Asked with none when all made tools are paused, and again with all in use when they resume. A
   * failure is logged; a pause is in force all the same, and `inspectTools` asks again.
   */
  settle?(inUse: readonly ToolSpec[], options: KindHookOptions): Promise<void>
  /**
   * Compares what lives outside with the spec. Asked at each start, before each call of a tool of high risk, before other
   * calls when the last answer is older than `inspectionLastsMs` of the toolsmaker, and whenever the host wants to know.
   *
   * @default nothing lives outside
   */
  inspect?(spec: ToolSpec, options: KindHookOptions): Promise<OutsideState>
}
