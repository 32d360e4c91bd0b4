import { chmod, mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describeNameProblem } from '@toolcrib/registry'
import { n8nKindError } from '../error-catalogue.ts'
import { KeyedQueue } from '@toolcrib/toolsmaker/kind'
import { n8nDeploymentSchema } from './n8n-deployment-schema.ts'
import type { BrokenN8nDeployment, N8nDeployment, N8nDeployments } from './n8n-deployments.ts'

const ending = '.json'

/** Deployments in a folder, one file a tool. */
class FileN8nDeployments implements N8nDeployments {
  readonly #folder: string
  /** Writes of one tool, one after the other. */
  readonly #queue = new KeyedQueue(Number.POSITIVE_INFINITY)

  constructor(folder: string) {
    this.#folder = resolve(folder)
  }

  async read(toolName: string): Promise<N8nDeployment | undefined> {
    const path = this.#pathOf(toolName)
    let text: string
    try {
      text = await readFile(path, 'utf8')
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw broken(path, `it cannot be read (${codeOf(error) ?? 'unknown'})`, error)
    }
    return parse(path, text, toolName)
  }

  async write(deployment: N8nDeployment): Promise<void> {
    const { toolName } = deployment
    const path = this.#pathOf(toolName)
    const kept = n8nDeploymentSchema.parse(deployment)
    const whole = `${JSON.stringify(kept, undefined, 2)}\n`
    await this.#queue.run(toolName, () => this.#replace(path, whole))
  }

  async remove(toolName: string): Promise<void> {
    const path = this.#pathOf(toolName)
    await this.#queue.run(toolName, async () => {
      await rm(path, { force: true })
      await rm(`${path}.new`, { force: true })
      await this.#syncFolder().catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error
      })
    })
  }

  async list(): Promise<readonly N8nDeployment[]> {
    const { whole } = await this.#readAll()
    return whole
  }

  async listBroken(): Promise<readonly BrokenN8nDeployment[]> {
    const { broken: damaged } = await this.#readAll()
    return damaged
  }

  /** Whole or not at all: what is in it was read before, or is the new one. */
  async #replace(path: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await chmod(this.#folder, 0o700)
    const temporary = `${path}.new`
    // What a crash left of a write before.
    await rm(temporary, { force: true })
    try {
      const file = await open(temporary, 'wx', 0o600)
      try {
        await file.writeFile(text)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    await this.#syncFolder()
  }

  async #syncFolder(): Promise<void> {
    const folder = await open(this.#folder, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  }

  async #readAll(): Promise<{
    readonly whole: readonly N8nDeployment[]
    readonly broken: readonly BrokenN8nDeployment[]
  }> {
    const whole: N8nDeployment[] = []
    const damaged: BrokenN8nDeployment[] = []
    for (const name of await this.#names())
      try {
        // oxlint-disable-next-line no-await-in-loop -- small files, and not many open at once
        const deployment = await this.read(name)
        if (deployment !== undefined) whole.push(deployment)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        damaged.push({ place: join(this.#folder, `${name}${ending}`), reason })
      }
    return { whole, broken: damaged }
  }

  async #names(): Promise<readonly string[]> {
    let names: string[]
    try {
      names = await readdir(this.#folder)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return []
      throw error
    }
    return names
      .filter((name) => name.endsWith(ending))
      .map((name) => name.slice(0, -ending.length))
      .filter((name) => describeNameProblem(name) === undefined)
      .toSorted()
  }

  #pathOf(toolName: string): string {
    const problem = describeNameProblem(toolName)
    if (problem !== undefined) throw new TypeError(`toolName: ${problem}`)
    return join(this.#folder, `${toolName}${ending}`)
  }
}

function parse(path: string, text: string, toolName: string): N8nDeployment {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw broken(path, 'it is not JSON', cause)
  }
  const parsed = n8nDeploymentSchema.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw broken(path, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
  }
  if (parsed.data.toolName !== toolName)
    throw broken(
      path,
      `toolName: it is that of another tool, ${JSON.stringify(parsed.data.toolName)}`,
    )
  return parsed.data
}

function broken(path: string, what: string, cause?: unknown): Error {
  return n8nKindError(
    'N8N_DEPLOYMENT_BROKEN',
    `${path} cannot be used: ${what}. Restore it, or remove it and take down by hand in n8n what it was about.`,
    cause === undefined ? {} : { cause },
  )
}

function codeOf(error: unknown): string | undefined {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' ? code : undefined
}

/**
 * Keeps deployments in a folder, one file a tool, for its owner only. Each write is whole and durable, or not there. A broken
 * file is named and harms no other tool. The files hold secrets: keep the folder where no tool may read or write.
 */
export function createFileN8nDeployments(folder: string): N8nDeployments {
  return new FileN8nDeployments(folder)
}
