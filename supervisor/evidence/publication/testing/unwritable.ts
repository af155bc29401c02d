import { fileSuccess, type PublicationFileSystem } from '../file-system.ts';

/**
 * The same file system, for a user who may write none of the directories: rights mean nothing to root, who runs tests
 * too.
 */
export function unwritable(fileSystem: PublicationFileSystem): PublicationFileSystem {
  return {
    ...fileSystem,
    openDirectory: async (path) => {
      const opened = await fileSystem.openDirectory(path);
      return opened.ok ? fileSuccess({ ...opened.value, isWritable: async () => fileSuccess(false) }) : opened;
    },
  };
}
