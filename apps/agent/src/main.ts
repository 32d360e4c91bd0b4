#!/usr/bin/env node
import { runCommandLine } from './cli/run.ts'

const controller = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    // A second Ctrl-C means: now, without waiting.
    if (controller.signal.aborted) process.exit(130)
    controller.abort(new Error(`Stopped by ${signal}`))
  })

process.exitCode = await runCommandLine(process.argv.slice(2), controller.signal)
