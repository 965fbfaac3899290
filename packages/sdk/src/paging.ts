import type { CallOptions, Route } from './options.js';

/** A list that comes in pages: `for await` gives every item, `pages()` every page. Each page is one request. */
export type Pages<Item, Page> = AsyncIterable<Item> & { pages: () => AsyncIterable<Page> };

type Fields = Record<string, unknown>;
type Paging = NonNullable<Route['paging']>;
type Load = (input: Fields, options: CallOptions) => Promise<Fields>;

const itemsOf = (page: Fields, { items }: Paging): readonly Fields[] => (page[items] as Fields[] | undefined) ?? [];

/** The input of the page after this one; undefined after the last. */
const nextInput = (input: Fields, page: Fields, paging: Paging): Fields | undefined => {
  const items = itemsOf(page, paging);
  switch (paging.by) {
    case 'cursor':
      // A feed has a cursor also where nothing has come yet.
      return typeof page['next'] === 'string' && items.length > 0 ? { ...input, cursor: page['next'] } : undefined;
    case 'offset': {
      const offset = Number(page['offset'] ?? input['offset'] ?? 0) + items.length;
      return items.length > 0 && offset < Number(page['total']) ? { ...input, offset } : undefined;
    }
    case 'before': {
      const before = Number(items.at(-1)?.['version'] ?? 1);
      return before > 1 ? { ...input, before } : undefined;
    }
  }
};

/** Reads a list page by page, as far as its reader goes. */
export const pagesOf = (load: Load, paging: Paging, input: Fields, options: CallOptions): Pages<Fields, Fields> => {
  async function* pages(): AsyncGenerator<Fields> {
    for (let asked: Fields | undefined = input; asked !== undefined; ) {
      const page = await load(asked, options);
      yield page;
      asked = nextInput(asked, page, paging);
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* itemsOf(page, paging);
    },
  };
};
