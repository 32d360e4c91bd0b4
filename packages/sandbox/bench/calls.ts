// Calls in this sandbox beside ways that need nothing but Node; `pnpm bench sandbox` adds isolated-vm.
// Run: node --conditions=@toolcrib/source packages/sandbox/bench/calls.ts
import type { CallFigures } from './measure-calls.ts'
import { measureCalls } from './measure-calls.ts'
import { createOwn } from './own-contestant.ts'
import { plainContestants } from './plain-contestants.ts'

const figures = await measureCalls([createOwn('worker'), createOwn('process'), ...plainContestants])
for (const figure of figures) process.stdout.write(`${describe(figure)}\n`)

function describe(figure: CallFigures): string {
  const { contestant, p50, p99, callsPerSecond, hostCall, cpuOfCall, cpuOfHostCall, load } = figure
  return [
    `${contestant.name}: p50 ${p50.toFixed(1)} µs, p99 ${p99.toFixed(1)} µs`,
    `${Math.round(callsPerSecond)}/s`,
    `host call ${hostCall.toFixed(1)} µs`,
    `CPU time ${cpuOfCall.toFixed(1)} µs, of a host call ${cpuOfHostCall.toFixed(1)} µs`,
    ...(load === undefined ? [] : [`load ${load.toFixed(1)} ms`]),
  ].join(', ')
}
