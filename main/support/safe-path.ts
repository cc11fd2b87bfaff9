const segment = /^[^\p{C}\\/:*?"<>|]{1,200}$/u;
/** Device names on Windows, with any extension. */
const device = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * Relative, with slashes, inside the folder on every system. @param most folders and file name
 * together
 */
export const isSafePath = (path: string, most = 4): boolean =>
  path.split('/').length <= most &&
  path
    .split('/')
    .every(
      (name) =>
        segment.test(name) && !/^\.+$/.test(name) && !/[. ]$/.test(name) && !device.test(name),
    );
