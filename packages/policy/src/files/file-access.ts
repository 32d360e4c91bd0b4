/** What is known of an entry that was opened or looked at, without following it. */
export interface EntryStats {
  readonly dev: number
  readonly ino: number
  readonly nlink: number
  readonly size: number
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly mtimeMs: number
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

/** A file, folder, link or anything else that was found in a folder, and is held or remembered until released. */
export interface HeldEntry {
  /** The path by which the operating system reaches it now; `${at}/${name}` reaches what is in it. */
  readonly at: string
  readonly stats: EntryStats
  /** The folder that it was found in; none for an allowed folder itself. */
  readonly folder: HeldEntry | undefined
}

/** One way to reach files so that what was checked is what is used. The guard has two of them. */
export interface FileAccess {
  /** @throws an error of the operating system */
  openRoot(realPath: string): HeldEntry
  /**
   * Finds an entry by its name, which is one step. A link is given as such. Before anything but `open` is done with what
   * was found, its folder must be confirmed. @throws ENOENT and the like
   */
  look(folder: HeldEntry, name: string): HeldEntry
  /** Opens a file that was found. The stats are those of what was opened, to be checked again. */
  open(entry: HeldEntry, flags: number): { readonly descriptor: number; readonly stats: EntryStats }
  /** Makes a file under an unguessable name. @throws EEXIST */
  create(
    folder: HeldEntry,
    name: string,
    options: { readonly flags: number; readonly mode: number },
  ): number
  /** Removes a file that `create` made, if it can be reached. */
  discard(folder: HeldEntry, name: string): void
  /**
   * Gives a text that stays the same as long as no step of the folder's path is exchanged.
   *
   * @throws EntryMovedError unless the folder still lies where it was found
   */
  confirm(folder: HeldEntry): string
  /** Where it lies now. */
  realPath(entry: HeldEntry): string
  release(entry: HeldEntry): void
}
