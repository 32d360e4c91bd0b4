/** One line about a program. */
export interface ExplanationLine {
  /** What it is about, in the words of errors: `steps[1].then[0]`, `inputs.weight_kg`; empty for the program as a whole. */
  readonly path: string
  /** How far it is indented: steps inside a condition stand below it. */
  readonly depth: number
  /** One sentence, ended by a full stop, or by a colon where the lines below belong to it. */
  readonly sentence: string
  /** What the line is about, for pairing the lines of two versions of a program: `math total`, `input weight_kg`. */
  readonly subject: string
}
