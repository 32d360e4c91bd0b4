export { createFileGuard } from './file-guard.ts'
export type {
  FileFacts,
  FileGuard,
  FileGuardOptions,
  FolderEntry,
  ListFolderOptions,
  MoveOptions,
  ReadFileOptions,
  WriteFileOptions,
} from './file-guard.ts'
