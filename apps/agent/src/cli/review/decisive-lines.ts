import type { Printer } from '../printer.ts'
import { layOut } from './terminal-rows.ts'
import { type WantedAboutVersion, liftedBy } from './wanted-signature.ts'

/**
 * What a person is about to sign, in the last lines before the prompt: permissions, limits, risk, the stop that it ends, the event log
 * that it is for, name, version and hash. Nothing of them is in the author's words but names that are part of a permission. Comes
 * after the whole review.
 */
export function formatDecisive(
  wanted: WantedAboutVersion,
  printer: Printer,
  { prefix }: { readonly prefix: string },
): string {
  const { place, review } = wanted.reviewed
  const lifts = liftedBy(wanted)
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
    ...title(`You sign: ${wanted.verb}`),
    ...title('It may'),
    ...rows([...powers, ...settings]),
    ...title(`Risk: ${risk.level}`),
    ...rows(risk.reasons),
    ...(lifts === null
      ? []
      : title(`It ends what stopped this version: event ${lifts.slice(0, 16)}…`)),
    ...plain(`log ${place.store.slice(0, 16)}…`),
    ...plain(`${name} v${version}  ${kind}`),
    ...plain(`sha256 ${contentHash}`),
  ].join('\n')
}
