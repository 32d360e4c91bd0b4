/** The values of a statement, which get their places as they come. */
export class SqlValues {
  readonly list: unknown[] = []

  /** Takes a value and returns its place, such as `$3`. */
  add(value: unknown): string {
    this.list.push(value)
    return `$${this.list.length}`
  }
}
