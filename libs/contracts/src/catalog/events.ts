import { taskOpened } from '../task.js';

/** What catalog tells: work for the operator's team. Prices are read when they are charged, and so are no event. */
export const catalogEvents = { 'catalog_task.opened': taskOpened('catalog') } as const;
