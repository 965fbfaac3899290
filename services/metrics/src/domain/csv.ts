/** A field and the comma, line break or end after it; a quoted field doubles its quotes (RFC 4180). */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/** The non-empty records of a CSV text, with or without a byte order mark; null if it is not CSV. */
export const csvRecords = (csv: string): string[][] | null => {
  const text = csv.replace(/^\uFEFF/, '').trimEnd();
  const records: string[][] = [];
  let record: string[] = [];
  const fields = new RegExp(FIELD);
  for (let after: string | undefined = ','; fields.lastIndex < text.length || after === ','; ) {
    const match = fields.exec(text);
    if (match === null) return null;
    const [, quoted, plain = ''] = match;
    after = match[3];
    record.push(quoted?.replaceAll('""', '"') ?? plain);
    if (after === ',') continue;
    records.push(record);
    record = [];
  }
  return records.filter((one) => one.some((field) => field.trim() !== ''));
};
