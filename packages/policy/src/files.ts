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
