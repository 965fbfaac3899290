export const KEY = /^cds_(live|test)_([0-9A-Za-z]{12})_[0-9A-Za-z]+$/;

export const nameOf = (key: string): string => key.replace(KEY, 'cds_$1_$2_…');
