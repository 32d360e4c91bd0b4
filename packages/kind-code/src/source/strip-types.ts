import { type ReadSourceOptions, readSource } from './read-source.ts'

/**
 * Erases the types of a module: each becomes as many spaces, so that every line and column stays what it was. It happens in a
 * thread; a source that was made to be slow costs its author the answer, and nobody else the time.
 *
 * @throws {SourceSyntaxError} with the rule `syntax`, `syntax.not-erasable` or `size`
 */
export async function stripTypes(source: string, options?: ReadSourceOptions): Promise<string> {
  return readSource<'strip'>({ name: 'strip', source }, options)
}
