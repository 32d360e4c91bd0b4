import type { ReviewedVersion } from '../../operations/version-operations.ts'
import type { Printer } from '../printer.ts'
import { layOut } from './terminal-rows.ts'

/**
 * What a person is about to sign, in the last lines before the prompt: permissions, risk, name, version and hash. Nothing of them is in
 * the author's words but names that are part of a permission.
 */
export function formatDecisive(
  { review }: ReviewedVersion,
  printer: Printer,
  { action, prefix }: { readonly action: string; readonly prefix: string },
): string {
  const columns = printer.columns('note')
  const { contentHash, kind, name, powers, risk, settings, version } = review
  const rows = (lines: readonly string[]): string[] =>
    lines.flatMap((line) => layOut(line, { columns, first: '  ', rest: '    ' }))
  const plain = (text: string): string[] => layOut(text, { columns, first: '', rest: '  ' })
  const title = (text: string): string[] => plain(text).map((row) => printer.style('bold', row))
  return [
    ...plain(
      `The whole review stands above. To read it again: ${prefix} approvals show ${name}@${version}`,
    ),
    '',
    ...title(`You sign: ${action}`),
    ...title('It may'),
    ...rows([...powers, ...settings]),
    ...title(`Risk: ${risk.level}`),
    ...rows(risk.reasons),
    ...plain(`${name} v${version}  ${kind}`),
    ...plain(`sha256 ${contentHash}`),
  ].join('\n')
}
