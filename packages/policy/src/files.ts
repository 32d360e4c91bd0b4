export type { EntryStats, FileAccess, HeldEntry } from './files/file-access.ts'
export { createFileGuard } from './files/file-guard.ts'
export type {
  FileFacts,
  FileGuard,
  FileGuardOptions,
  FolderEntry,
  ListFolderOptions,
  MoveOptions,
  ReadFileOptions,
  WriteFileOptions,
} from './files/file-guard.ts'
export { openFileAccess } from './files/open-file-access.ts'
export type { FileAccessOptions } from './files/open-file-access.ts'
