const key = 'tillbeacon.loadedAnewAt';
const pauseMs = 60_000;

/**
 * A part of a page that is loaded when it is needed. One that is not there any more belongs to a
 * version that was replaced since: then the page is loaded anew, as the version that there is now.
 * @throws where that was done within the last minute
 */
export async function pagePart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (Date.now() - Number(sessionStorage.getItem(key)) < pauseMs) throw error;
    sessionStorage.setItem(key, String(Date.now()));
    location.reload();
    // Nothing follows on this page.
    return new Promise(() => {});
  }
}
