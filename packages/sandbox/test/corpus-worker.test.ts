import { runCorpus } from './run-corpus.ts'

runCorpus('worker')
