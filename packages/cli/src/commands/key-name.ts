export const KEY = /^cds_(live|test)_([0-9A-Za-z]{12})_[0-9A-Za-z]+$/;

/** The public part of a key, which names it without opening anything. */
export const nameOf = (key: string): string => key.replace(KEY, 'cds_$1_$2_…');
