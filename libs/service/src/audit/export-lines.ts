import { AuditCheckpoint, AuditEntry, AuditExportEnd, SERVICES } from '@cds/contracts';
import { canonicalJson } from '../pure/canonical-json.js';

export type ExportLine = { line: number } & (
  | { kind: 'entry'; value: AuditEntry }
  | { kind: 'checkpoint'; value: AuditCheckpoint }
  | { kind: 'end'; value: AuditExportEnd }
  | { kind: 'unreadable' }
);

const Entry = AuditEntry.strict();
const Checkpoint = AuditCheckpoint.strict();
const End = AuditExportEnd.strict();

/** Reads the lines of an export. A line that differs from its canonical JSON in any byte is unreadable. */
export const exportLines = (text: string): ExportLine[] => {
  const lines = text.split('\n');
  // A whole file ends with a line break; whatever follows the last one was cut off.
  if (lines.at(-1) === '') lines.pop();
  return lines.map((one, index) => ({ line: index + 1, ...lineOf(one) }));
};

type Line = ExportLine extends infer L ? (L extends { line: number } ? Omit<L, 'line'> : never) : never;

const lineOf = (text: string): Line => {
  try {
    const value: unknown = JSON.parse(text);
    if (canonicalJson(value) !== text) return { kind: 'unreadable' };
    const kind = (value as { kind?: unknown }).kind;
    if (kind === 'checkpoint') return { kind, value: Checkpoint.parse(value) };
    if (kind === 'end') return { kind, value: End.parse(value) };
    return { kind: 'entry', value: Entry.parse(value) };
  } catch {
    return { kind: 'unreadable' };
  }
};

/** Where a line belongs in the order of a file: entries by service and place, then checkpoints, then the end. */
export const rankOf = (line: ExportLine): readonly [number, number, number] => {
  if (line.kind === 'entry') return [0, SERVICES.indexOf(line.value.service), line.value.seq];
  if (line.kind === 'checkpoint') return [1, SERVICES.indexOf(line.value.service), line.value.seq];
  return [2, 0, 0];
};
