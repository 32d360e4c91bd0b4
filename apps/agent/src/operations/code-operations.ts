import { principalKey } from '@toolcrib/registry'
import type { BuildOutcome, ToolBuildRequest } from '@toolcrib/toolsmaker'
import { z } from 'zod'
import { sandboxModes } from '../settings/tool-settings.ts'
import type { CodeTools } from '../tools/code/open-code-tools.ts'
import type { SandboxTrial } from '../tools/code/try-sandbox.ts'
import { hostError } from '../host-error.ts'
import type { Kernel } from '../host/kernel.ts'
import { defineOperation } from './operation.ts'

/** `doctor`: one call in the sandbox of the host, or in one of another mode. */
export const trySandboxMode = defineOperation(
  z.strictObject({ mode: z.enum(sandboxModes).optional() }),
  async ({ mode }, { kernel, signal }): Promise<SandboxTrial> =>
    kernel.code?.try(mode, signal) ?? { ok: false, problem: 'this host has no code tools' },
)

/** `make FILE.ts`: proposes the tool in a TypeScript file on behalf of the person. */
export const makeToolFromFile = defineOperation(
  z.strictObject({
    name: z.string().max(1_000),
    source: z.string(),
    /** Its name alone, for the record. */
    file: z.string().max(1_000),
  }),
  async ({ name, source, file }, { kernel, principal, signal }): Promise<BuildOutcome> => {
    const { sandbox, findModule } = codeOf(kernel)
    // Loaded when it is needed: most commands make no tool.
    const { toolFileRequest } = await import('@toolcrib/factory')
    const provenance = { source: 'make', file }
    const trialOf = principalKey(principal)
    const write = (): Promise<ToolBuildRequest> =>
      toolFileRequest(source, { name, sandbox, trialOf, findModule, provenance, signal })
    return kernel.toolsmaker.forAgent(principal).buildTool({ name, write }, { signal })
  },
)

/** `tools dynamic`: the files of the dynamic folder, and what became of each. */
export const listDynamicFiles = defineOperation(z.strictObject({}), (_input, { kernel }) =>
  (kernel.dynamicTools?.list() ?? []).toSorted((left, right) => (left.file < right.file ? -1 : 1)),
)

function codeOf({ code }: Kernel): CodeTools {
  if (code?.standing.isOn === true) return code
  throw hostError(
    'TOOL_OFF',
    `Code tools are off: ${code?.standing.because ?? 'this host has none'}.`,
  )
}
