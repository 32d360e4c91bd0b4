export { OptionsError } from './assert-options.ts'
export {
  folderLockErrorCatalogue,
  FolderLockedError,
  FolderUnusableError,
} from './folder-lock-error.ts'
export type { FolderLockErrorCode } from './folder-lock-error.ts'
export { lockFolder } from './folder-lock.ts'
export type { FolderLock, LockFolderOptions } from './folder-lock.ts'
export type { FolderHolder } from './folder-holder.ts'
