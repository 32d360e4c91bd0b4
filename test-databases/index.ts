export { copyFolderMadeOnce } from './folder-made-once.ts'
export type { FolderMadeOnce } from './folder-made-once.ts'
export { startPostgres } from './real-postgres.ts'
export type { RealPostgres } from './real-postgres.ts'
