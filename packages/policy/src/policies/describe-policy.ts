import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import type { Callee } from './allowed-items.ts'
import {
  describeBytes,
  describeCallee,
  describeOrigins,
  describePaths,
  describeRanges,
  joinItems,
} from './describe-items.ts'
import { showPlain } from './describe-text.ts'
import {
  type EffectiveFilePolicy,
  type EffectiveHttpPolicy,
  type EffectivePolicy,
  readEffectivePolicy,
} from './effective-policy.ts'
import { type SecretBinding, readBinding } from '../secrets/secret-binding.ts'
import { type ToolPolicy, defaultLimits, httpMethods } from './tool-policy.ts'

/** What is known beside the policy. */
export interface DescribePolicyOptions {
  /** Where secrets may be sent; the definitions that `openSecretVault` takes will do. @default nothing is said of it */
  readonly secrets?: Readonly<Record<string, SecretBinding>>
}

const describePolicyOptionNames: KnownOptions<DescribePolicyOptions> = {
  secrets: true,
}

/**
 * What a policy allows, in sentences for people who did not write it. Limits are mentioned where they are not the
 * default, and text that could pass for a part of a sentence stands in quotes with everything invisible escaped.
 *
 * @throws {ToolError} POLICY_INVALID when the policy cannot be read: nothing misleading is ever described.
 */
export function describePolicy(
  policy: ToolPolicy,
  options: DescribePolicyOptions = {},
): readonly string[] {
  assertOptions<DescribePolicyOptions>('describePolicy', options, describePolicyOptionNames)
  const sentences = describeEffectivePolicy(readEffectivePolicy(policy), options)
  return sentences.length === 0 ? ['May touch nothing outside itself'] : sentences
}

/** The same of a policy that was read; empty when it allows nothing. */
export function describeEffectivePolicy(
  { fs_read, fs_write, http, secrets, callees }: EffectivePolicy,
  options: DescribePolicyOptions = {},
): readonly string[] {
  return [
    ...(fs_read ? [describeFiles(fs_read, 'read')] : []),
    ...(fs_write ? [describeFiles(fs_write, 'write')] : []),
    ...(http ? describeHttp(http) : []),
    ...secrets.map((name) => describeSecret(name, options)),
    ...callees.map((callee: Callee) => `May call ${describeCallee(callee)}`),
  ]
}

function describeFiles({ paths, maxBytes }: EffectiveFilePolicy, access: 'read' | 'write'): string {
  const verb = access === 'read' ? 'read' : 'create, change and delete'
  const size =
    maxBytes === defaultLimits.fileBytes ? '' : `, each of at most ${describeBytes(maxBytes)}`
  return `May ${verb} files in ${describePaths(paths, access)}${size}`
}

function describeHttp(http: EffectiveHttpPolicy): string[] {
  const { origins, methods, privateAddresses, maxRequestBytes, maxResponseBytes, maxRedirects } =
    http
  const only = methods.length === httpMethods.length ? '' : `, only with ${joinItems(methods)}`
  const sentences = [`May send HTTP requests to ${describeOrigins(origins)}${only}`]
  if (privateAddresses.length > 0) {
    const ranges = describeRanges(privateAddresses)
    sentences.push(`May reach through them the private addresses ${ranges}`)
  }
  if (maxRequestBytes !== defaultLimits.requestBytes)
    sentences.push(`May send at most ${describeBytes(maxRequestBytes)} in a request`)
  if (maxResponseBytes !== defaultLimits.responseBytes)
    sentences.push(`May receive at most ${describeBytes(maxResponseBytes)} in an answer`)
  if (maxRedirects !== defaultLimits.redirects)
    sentences.push(`May follow ${maxRedirects === 0 ? 'no' : `at most ${maxRedirects}`} redirects`)
  return sentences
}

function describeSecret(name: string, { secrets }: DescribePolicyOptions): string {
  const sentence = `May use the secret ${name}`
  if (secrets === undefined) return sentence
  const definition = Object.hasOwn(secrets, name) ? secrets[name] : undefined
  if (definition === undefined) return `${sentence} (which is not set up)`
  const { origins, methods, paths, headers } = readBinding(name, definition)
  const bounds = [
    `to ${describeOrigins(origins)}`,
    ...(methods ? [`with ${joinItems(methods)}`] : []),
    ...(paths
      ? [`at ${joinItems(paths.map(({ path }) => showPlain(path || '/')))} and below`]
      : []),
    ...(headers ? [`in the header ${joinItems(headers)}`] : []),
  ]
  return `${sentence} (only ${bounds.join(', ')})`
}
