/** Lists that come page by page, as one stream. */
import { UnexpectedAnswerError } from './errors.ts';

/**
 * The most that a page of app payments or of reporting holds (interface document 3, "Limits";
 * document 4, section 5). Usually asked for: the fewest requests.
 */
export const maxPageSize = 1_000;

/** Pages may be empty without being the last, but so many in a row are an error of the service. */
const maxEmptyPages = 100;
/** Ten million entries on the largest pages: more than a chain has in a year. */
const maxPages = 10_000;

interface Page<Item> {
  /** null or absent on the last page. */
  readonly nextPageNumber?: number | null | undefined;
  readonly items: readonly Item[];
}

/**
 * Every item of every page. The next page is requested when the one before is used up and released,
 * so that a year needs no more memory than a page.
 * @param operation for messages
 * @throws what `read` throws; UnexpectedAnswerError when the pages lead nowhere; the reason of
 * `signal`, also between two items
 */
export async function* everyItem<Item>(
  operation: string,
  signal: AbortSignal | undefined,
  read: (pageNumber: number) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let emptyPages = 0;
  for (let pageNumber = 1, pages = 1; ; pages += 1) {
    const { count, nextPageNumber } = yield* onePage(read(pageNumber), signal);
    if (nextPageNumber === null) return;
    if (nextPageNumber <= pageNumber)
      throw new UnexpectedAnswerError(
        operation,
        200,
        `after page ${pageNumber} it names page ${nextPageNumber}`,
      );
    if (pages >= maxPages)
      throw new UnexpectedAnswerError(
        operation,
        200,
        `after ${pages} pages it names still another`,
      );
    emptyPages = count === 0 ? emptyPages + 1 : 0;
    if (emptyPages >= maxEmptyPages)
      throw new UnexpectedAnswerError(
        operation,
        200,
        `${emptyPages} empty pages in a row, and still another`,
      );
    pageNumber = nextPageNumber;
  }
}

/** A separate function, so that its page can be freed before the next one is requested. */
async function* onePage<Item>(page: Promise<Page<Item>>, signal: AbortSignal | undefined) {
  const { items, nextPageNumber } = await page;
  for (const item of items) {
    signal?.throwIfAborted();
    yield item;
  }
  return { count: items.length, nextPageNumber: nextPageNumber ?? null };
}
