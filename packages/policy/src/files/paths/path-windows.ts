const reservedNames = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])$/iu

/** What Windows makes of a long name for old programs: `PROGRA~1`, `SECRET~2.TXT`. */
const shortName = /^[^.~]{1,8}~\d{1,6}(?:\.[^.]{0,3})?$/u

/**
 * Says what makes a path unusable by the rules of Windows, where one text can name a device, another drive, a hidden
 * stream or a file of another name. Only the text is looked at.
 */
export function findWindowsFault(path: string): string | undefined {
  const text = path.replaceAll('\\', '/')
  if (text.startsWith('//')) return 'it names a network share or a device'
  if (/^[a-z]:(?!\/)/iu.test(text)) return 'it depends on the current folder of a drive'
  if (text.startsWith('/')) return 'it depends on the current drive'
  const steps = text.replace(/^[a-z]:/iu, '').split('/')
  for (const step of steps) {
    const fault = step === '.' || step === '..' ? undefined : findStepFault(step)
    if (fault !== undefined) return fault
  }
  return undefined
}

function findStepFault(step: string): string | undefined {
  if (step.includes(':')) return 'it names a stream inside a file'
  if (/[<>"|?*]/u.test(step)) return 'it holds a character that Windows forbids'
  if (/[. ]$/u.test(step)) return 'a step ends with a dot or a space, which Windows drops'
  if (shortName.test(step)) return 'it may be the short name of another file'
  // Windows also sees a device in "con.txt" and in "nul .x".
  const stem = step.split('.', 1)[0] ?? ''
  return reservedNames.test(stem.trim()) ? 'it names a device' : undefined
}
