import { runCorpus } from './run-corpus.ts'

/**
 * The guest of a process is the same engine, with the same shims, as that of a worker, where every case runs. What can differ is
 * what comes to the host over the channel (requests, logs, errors, results), what stays in the process from one call to the
 * next, what of Node there is to be found, and how a process is ended that does not answer or has filled its memory or stack.
 */
const isRun = (_file: string, { id }: { readonly id: string }): boolean =>
  process.env['TOOLCRIB_LONG_TESTS'] !== undefined ||
  /^esc-(global|arg|result|state|async-(host|late|reject)|error-(host|long|fake|huge|violation|surrogates))/.test(
    id,
  ) ||
  /^res-(mem-|stack-|native-(join|indexof)|spin|never|host-|load-|log-|console-|throw-|unawaited-|sleep-)/.test(
    id,
  )

runCorpus('process', isRun)
