import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildTemplate } from '../src/build-template.ts'
import { templateName } from '../src/pglite-template.ts'

// Part of the package's build: puts the template of a new PGlite folder beside the compiled code.
const folder = join(import.meta.dirname, '..', 'dist')
await mkdir(folder, { recursive: true })
await writeFile(join(folder, await templateName()), await buildTemplate())
