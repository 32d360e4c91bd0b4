import type { CreateDynamicToolOptions } from '@toolcrib/factory'
import type { ToolPolicy } from '@toolcrib/policy'
import { ToolError, type ToolRegistry } from '@toolcrib/registry'
import { type Sandbox, createSandbox } from '@toolcrib/sandbox'
import { defaultToolPolicy } from '@toolcrib/tools'
import type { ToolKind, ToolSpec, Toolsmaker } from '@toolcrib/toolsmaker'
import {
  type CodePowers,
  type FindModule,
  createCodeKind,
  createCodePowers,
  createTypeChecker,
  toFoundModule,
} from '@toolcrib/kind-code'
import { settingsInvalid } from '../../settings/settings-error.ts'
import { type ToolGround, withSecrets } from '../built-in/tool-ground.ts'
import type { SandboxChoice, SandboxMode } from './choose-sandbox.ts'
import { type CodeStanding, describeCode } from './code-standing.ts'
import { openSandboxAtFirstUse } from './sandbox-at-first-use.ts'
import { decideTypeCheck } from './decide-type-check.ts'
import { type SandboxTrial, trySandbox } from './try-sandbox.ts'

/** What code tools of a host are made of, beside the ground. */
export interface CodeToolsPlace {
  readonly sandbox: SandboxChoice
  readonly registry: ToolRegistry
  readonly dynamicFolder: string
}

/** Code tools of a host: what they run in, what they can be given. */
export interface CodeTools {
  /** Absent while they are off. */
  readonly kind: ToolKind | undefined
  readonly sandbox: Sandbox
  /** Approved versions that code may import. */
  readonly findModule: FindModule
  readonly standing: CodeStanding
  /** What the tool with which agents make code tools needs. */
  readonly factory: CreateDynamicToolOptions
  /** Tells code tools of the versions that they may import. Until then they find none. */
  connect(toolsmaker: Pick<Toolsmaker, 'readApproved'>): void
  /** Runs one call in the sandbox, or in one of another mode. */
  try(mode: SandboxMode | undefined, signal: AbortSignal): Promise<SandboxTrial>
  /** Ends what runs in the sandbox, and lets go of folders and connections. May be called again. */
  close(): Promise<void>
}

/**
 * Opens what code tools need. Nothing starts before it is used.
 *
 * @throws {ToolError} SETTINGS_INVALID when the most that they may touch cannot be used.
 */
export function openCodeTools(ground: ToolGround, place: CodeToolsPlace): CodeTools {
  const { sandbox: choice, registry, dynamicFolder } = place
  const open = (mode: SandboxMode): Sandbox =>
    createSandbox({
      mode,
      ...(choice.maxWorkers === undefined ? {} : { maxWorkers: choice.maxWorkers }),
    })
  const sandbox = openSandboxAtFirstUse({
    open: () => open(choice.mode),
    // The engine is the same in every mode.
    describeEngine: () => ({ ...open('worker').engine, mode: choice.mode }),
  })
  const policy = mostPowers(ground)
  const standing = describeCode(ground, {
    policy,
    sandbox: choice,
    typeCheck: decideTypeCheck(ground.settings.code?.typeCheck),
    dynamicFolder,
  })
  let closed: Promise<void> | undefined
  let approved: Pick<Toolsmaker, 'readApproved'> | undefined
  const findModule: FindModule = async (name, version) =>
    readModule(await approved?.readApproved(name, version))
  const typeChecker = standing.typeCheck.isOn ? createTypeChecker() : undefined
  const powers = standing.isOn ? openPowers(ground, { policy, registry }) : undefined
  const kind =
    powers === undefined
      ? undefined
      : createCodeKind({
          sandbox,
          powers,
          findModule,
          ...(typeChecker === undefined ? {} : { typeChecker }),
        })
  return {
    kind,
    sandbox,
    findModule,
    standing,
    factory: {
      sandbox,
      describeReview: ({ name, version }) => `toolcrib approvals show ${name}@${version}`,
    },
    connect: (toolsmaker) => {
      approved = toolsmaker
    },
    try: async (mode, signal) => {
      if (mode === undefined || mode === choice.mode) return trySandbox(() => sandbox, signal)
      let other: Sandbox | undefined
      const trial = await trySandbox(() => (other = open(mode)), signal)
      await other?.close()
      return trial
    },
    close: () =>
      (closed ??= sandbox.close().finally(() => {
        typeChecker?.close()
        powers?.close()
      })),
  }
}

/** A version that others may import is for everybody. */
function readModule(spec: ToolSpec | undefined): Awaited<ReturnType<FindModule>> {
  return spec?.visibility === 'shared' ? toFoundModule(spec) : undefined
}

/** What `code.policy` says, else what holds for the built-in tools, else the safe default. */
function mostPowers({ settings, workspace, secrets }: ToolGround): ToolPolicy {
  const policy = settings.code?.policy ?? settings.policy ?? defaultToolPolicy(workspace)
  return withSecrets(policy, secrets.vault)
}

function openPowers(
  { workspace, denied, secrets, settingsFile }: ToolGround,
  { policy, registry }: { readonly policy: ToolPolicy; readonly registry: ToolRegistry },
): CodePowers {
  try {
    return createCodePowers({
      workspace,
      maximumPolicy: policy,
      deniedPaths: denied.paths,
      deniedServices: denied.services,
      vault: secrets.vault,
      findTool: (name) => registry.get(name),
    })
  } catch (error) {
    if (!ToolError.is(error, 'POLICY_INVALID')) throw error
    throw settingsInvalid(settingsFile, `code.policy: ${error.message}`, error)
  }
}
