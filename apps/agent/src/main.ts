#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

// Before anything else is loaded: a command spends more on compiling what it loads than on its work. Kept where only this
// user writes, since what lies there is run: never in a temporary folder that others share.
const { XDG_CACHE_HOME = '' } = process.env
const caches = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), '.cache')
enableCompileCache(join(caches, 'toolcrib', 'compiled'))
const { runCommandLine } = await import('./cli/run.ts')

const controller = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    // A second Ctrl-C means: now, without waiting.
    if (controller.signal.aborted) process.exit(130)
    controller.abort(new Error(`Stopped by ${signal}`))
  })

process.exitCode = await runCommandLine(process.argv.slice(2), controller.signal)
