import type { Fact } from './fact.ts'

/** Something that no host ever said, and what a check must find when it is told that one did. */
export interface Falsehood {
  readonly facts: readonly Fact[]
  readonly found: RegExp
}

const answered = { fact: 'answered', toolName: 'any', aroundMs: 3, ran: true } as const
const name = 'gives_nothing'

/** A check that finds nothing may be one that does not look; so it is told these as well, in the end. */
export const falsehoods: readonly Falsehood[] = [
  {
    facts: [{ ...answered, callId: 'lost', code: 'TOOL_FAILED' }],
    found: /^call lost of any, answered TOOL_FAILED .* is not in the log$/,
  },
  {
    facts: [
      {
        fact: 'begun',
        id: 'a',
        deed: 'propose',
        name,
        token: 1,
        owner: 'ada',
        byRule: true,
      },
      { fact: 'done', id: 'a', status: 'activated' },
    ],
    found: /^gives_nothing: 0 times tool_activated, where 1 were acknowledged/,
  },
  { facts: [], found: /^gives_nothing vundefined cannot be called, 1 must be in use/ },
  {
    // More than a kill can have left on record without a word.
    facts: Array.from({ length: 100 }, (_, index) => `pause ${index}`).flatMap((id): Fact[] => [
      { fact: 'begun', id, deed: 'pause' },
      { fact: 'done', id },
    ]),
    found: /^a pause was lost$/,
  },
  { facts: [], found: /^all tools: .* times tools_paused, where/ },
]
