const COUNT = /^\d{1,3}(?:[ ,]?\d{3})*$/;

/** A count as people type it, such as 12,400; any other text as it is, which the operation refuses. */
export const countOf = (text: string): number | string => (COUNT.test(text) ? Number(text.replace(/[ ,]/g, '')) : text);
