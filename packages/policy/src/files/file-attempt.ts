import { ToolError } from '@toolcrib/registry'
import { policyError, type PolicyErrorCode, policyErrorCatalogue } from '../error-catalogue.ts'
import { quotePath } from '../policies/path-quote.ts'
import { type PolicyRule, ToolPolicyViolation } from '../policies/policy-violation.ts'

/** What somebody tries to do with a path; every refusal and failure is told in its words. */
export interface FileAttempt {
  /** Such as `read` or `delete`. */
  readonly verb: string
  /** As it was given: anything at all. */
  readonly path: unknown
  readonly access: 'read' | 'write'
}

/** Thrown inside when an entry is no longer where it was found, which an attacker may have arranged. */
export class EntryMovedError extends Error {
  override readonly name: string = 'EntryMovedError'
}

/** A refusal, with what would help. */
export function refusal(
  attempt: FileAttempt,
  rule: PolicyRule,
  detail: { readonly because?: string; readonly howToAsk?: string; readonly cause?: unknown } = {},
): ToolPolicyViolation {
  const tried = `${attempt.verb} ${quotePath(attempt.path)}`
  return new ToolPolicyViolation({
    rule,
    tried: detail.because === undefined ? tried : `${tried} (${detail.because})`,
    howToAsk: detail.howToAsk ?? askForPath(attempt),
    ...(detail.cause === undefined ? {} : { cause: detail.cause }),
  })
}

/** A failure that is no violation. */
export function failure(
  attempt: FileAttempt,
  code: PolicyErrorCode,
  detail: { readonly advice?: string; readonly cause?: unknown } = {},
): ToolError<PolicyErrorCode> {
  const shown = quotePath(attempt.path)
  const advice = detail.advice === undefined ? '' : ` ${detail.advice}`
  return policyError(
    code,
    `Cannot ${attempt.verb} ${shown}. ${policyErrorCatalogue[code]}${advice}`,
    {
      ...(detail.cause === undefined ? {} : { cause: detail.cause }),
      data: { verb: attempt.verb, path: shown, ...systemCode(detail.cause) },
    },
  )
}

/** Tells an error of the operating system in the words of the attempt; lets every other pass. */
export function translateFileError(attempt: FileAttempt, error: unknown): unknown {
  if (ToolError.is(error)) return error
  if (error instanceof EntryMovedError) {
    return refusal(attempt, 'fs.symlink', {
      because: 'a step of the path was exchanged while it was used',
      howToAsk: 'Try again; if it stays so, another program keeps exchanging files there.',
    })
  }
  const { code } = systemCode(error)
  if (code === undefined) return error
  const known = failures[code]
  if (known === undefined) {
    const hint = ['EMFILE', 'ENFILE'].includes(code)
      ? ': too many files are open. Try again when other work is done'
      : ''
    const advice = `It says ${code}${hint}.`
    return failure(attempt, 'FILE_SYSTEM_FAILED', { advice, cause: error })
  }
  return failure(attempt, ...known(error))
}

/** The error code of the operating system, such as ENOENT, if the value is an error that has one. */
export function systemCode(error: unknown): { readonly code?: string } {
  if (!(error instanceof Error) || error instanceof ToolError) return {}
  const code: unknown = (error as NodeJS.ErrnoException).code
  return typeof code === 'string' && /^E[A-Z0-9]+$/u.test(code) ? { code } : {}
}

function askForPath({ access, path }: FileAttempt): string {
  return `Ask for fs_${access} of ${quotePath(path)} in the tool's policy; an operator must approve it.`
}

type Failure = (cause: unknown) => [PolicyErrorCode, { advice?: string; cause: unknown }]

const as =
  (code: PolicyErrorCode, advice?: string): Failure =>
  (cause) => [code, { ...(advice === undefined ? {} : { advice }), cause }]

const failures: Readonly<Record<string, Failure>> = {
  ENOENT: as('FILE_NOT_FOUND', 'List the folder to see what is there; names are taken literally.'),
  EEXIST: as('FILE_EXISTS', 'Use another name.'),
  EISDIR: as('FILE_IS_FOLDER', 'Name a file in it.'),
  ENOTDIR: as('FILE_NOT_FOLDER', 'Name a folder.'),
  ENOTEMPTY: as('FOLDER_NOT_EMPTY', 'Delete what is in it first.'),
  EACCES: as('FILE_ACCESS_DENIED', 'Somebody who owns it must change its permissions.'),
  EPERM: as('FILE_ACCESS_DENIED', 'Somebody who owns it must change its permissions.'),
  EBUSY: as('FILE_ACCESS_DENIED', 'Another program or the system itself uses it.'),
  ETXTBSY: as('FILE_ACCESS_DENIED', 'It is a program that is running.'),
  ENAMETOOLONG: as('FILE_NAME_TOO_LONG', 'Use a shorter name.'),
  ENOSPC: as('DISK_FULL', 'Make room, or write less.'),
  EDQUOT: as('DISK_FULL', 'Make room, or write less.'),
  EROFS: as('DISK_READ_ONLY', 'Use a folder on another disk.'),
}
