import * as fs from 'node:fs'

/** The functions of `node:fs` that the guard uses, so that tests can make a disk full or swap a file at the worst moment. */
export type FileSystemCalls = Pick<
  typeof fs,
  | 'closeSync'
  | 'fchmodSync'
  | 'fchownSync'
  | 'fstatSync'
  | 'fsync'
  | 'ftruncateSync'
  | 'linkSync'
  | 'lstatSync'
  | 'mkdirSync'
  | 'openSync'
  | 'opendirSync'
  | 'read'
  | 'readSync'
  | 'readlinkSync'
  | 'realpathSync'
  | 'renameSync'
  | 'rmdirSync'
  | 'statfsSync'
  | 'unlinkSync'
  | 'write'
  | 'writeSync'
>

/** Node's own. */
export const nodeFileSystem: FileSystemCalls = fs
