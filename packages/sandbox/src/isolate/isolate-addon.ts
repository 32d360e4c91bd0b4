import type ivm from 'isolated-vm'

/** What the addon offers. */
export type IsolatedVm = typeof ivm

/** Loads the addon by its file, which needs no permission to read another one. */
export function loadIsolatedVm(path: string): IsolatedVm {
  const addon: { exports: { readonly ivm?: IsolatedVm } } = { exports: {} }
  process.dlopen(addon, path)
  if (addon.exports.ivm === undefined) throw new Error(`${path} is not the addon of isolated-vm`)
  return addon.exports.ivm
}
