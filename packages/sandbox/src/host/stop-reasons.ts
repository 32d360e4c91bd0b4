/** What a flag says to the run in its slot: nothing, or why it has to stop. */
export const stopReasons = [undefined, 'aborted', 'timeout'] as const
