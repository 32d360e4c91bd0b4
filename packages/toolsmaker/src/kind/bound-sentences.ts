const mostSentences = 200
const longestSentence = 2_000

/** Keeps sentences to what a review holds, 200 of 2,000 characters, and says what is missing. */
export function boundSentences(sentences: readonly string[]): readonly string[] {
  const missing = sentences.length - mostSentences
  const kept = missing > 0 ? sentences.slice(0, mostSentences - 1) : sentences
  const bounded = kept.map((sentence) => {
    if (sentence.length <= longestSentence) return sentence
    const room = longestSentence - 60
    return `${sentence.slice(0, room).toWellFormed()}… (${sentence.length - room} more characters: read the source)`
  })
  return missing > 0
    ? [...bounded, `… and ${missing + 1} more lines are not shown: read the source.`]
    : bounded
}
