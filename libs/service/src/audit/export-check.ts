import type { AuditCheckpoint, AuditEntry, AuditExportEnd, ServiceName } from '@cds/contracts';
import { hashOf } from './entry.js';
import { type ExportLine, exportLines, rankOf } from './export-lines.js';
import { isSigned } from './signature.js';

/** What is wrong with an export (docs/guides/audit.md#what-it-finds). `last`: the last of several missing places. */
export type ExportFinding = {
  problem:
    | 'unreadable'
    | 'edited'
    | 'dropped'
    | 'added'
    | 'repeated'
    | 'swapped'
    | 'relinked'
    | 'rewritten'
    | 'forged'
    | 'truncated';
  what: 'entry' | 'checkpoint' | 'end';
  line: number | null;
  service?: ServiceName;
  seq?: number;
  last?: number;
};

export type ExportReport = {
  findings: ExportFinding[];
  entries: number;
  checkpoints: number;
  /** The public keys that signed the file; compare them with the published one. */
  keys: string[];
  /** The cursor of the file that continues this one; null after the last. */
  next: string | null;
};

type Of<K extends ExportLine['kind']> = Extract<ExportLine, { kind: K }>;
type Chain = AuditExportEnd['chains'][number];

/** Checks an exported audit on its own. Only signatures of `trusted` keys count; without any, each statement's own. */
export const checkExport = (text: string, trusted: ReadonlySet<string> | null = null): ExportReport => {
  const lines = exportLines(text);
  const entries = lines.filter((line): line is Of<'entry'> => line.kind === 'entry');
  const checkpoints = lines.filter((line): line is Of<'checkpoint'> => line.kind === 'checkpoint');
  const ends = lines.filter((line): line is Of<'end'> => line.kind === 'end');
  const isValid = (signed: AuditCheckpoint | AuditExportEnd) =>
    (trusted === null || trusted.has(signed.key)) && isSigned(signed);
  const end = ends.find(({ value }) => isValid(value))?.value;

  const findings: ExportFinding[] = [
    ...lines
      .filter(({ kind }) => kind === 'unreadable')
      .map(({ line }) => ({ problem: 'unreadable' as const, what: 'entry' as const, line })),
    ...unsigned([...checkpoints, ...ends], isValid),
    ...misplaced(lines),
    ...endOf(lines, ends),
    ...chainsOf(entries, end),
    ...checkpointsOf(
      checkpoints.filter(({ value }) => isValid(value)),
      entries,
      end,
    ),
  ];
  return {
    findings: findings.sort((one, other) => (one.line ?? lines.length) - (other.line ?? lines.length)),
    entries: entries.length,
    checkpoints: checkpoints.length,
    keys: [...new Set([...checkpoints, ...ends].map(({ value }) => value.key))],
    next: end?.next ?? null,
  };
};

const placeOf = ({ line, kind, value }: Of<'entry'> | Of<'checkpoint'>) => ({
  what: kind,
  line,
  service: value.service,
  seq: value.seq,
});

const unsigned = (
  signed: readonly (Of<'checkpoint'> | Of<'end'>)[],
  isValid: (signed: AuditCheckpoint | AuditExportEnd) => boolean,
): ExportFinding[] =>
  signed
    .filter(({ value }) => !isValid(value))
    .map((line) =>
      line.kind === 'end'
        ? { problem: 'forged', what: 'end', line: line.line }
        : { problem: 'forged', ...placeOf(line) },
    );

const misplaced = (lines: readonly ExportLine[]): ExportFinding[] => {
  const readable = lines.filter((line) => line.kind !== 'unreadable');
  const sorted = [...readable].sort((one, other) => {
    const [a, b] = [rankOf(one), rankOf(other)];
    return a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || one.line - other.line;
  });
  return readable.flatMap((line, index): ExportFinding[] => {
    if (line === sorted[index]) return [];
    return [
      line.kind === 'end'
        ? { problem: 'swapped', what: 'end', line: line.line }
        : { problem: 'swapped', ...placeOf(line) },
    ];
  });
};

const endOf = (lines: readonly ExportLine[], ends: readonly Of<'end'>[]): ExportFinding[] => {
  if (ends.length === 0) return [{ problem: 'truncated', what: 'end', line: lines.length + 1 }];
  return ends.slice(1).map(({ line }) => ({ problem: 'repeated', what: 'end', line }));
};

const byService = (entries: readonly Of<'entry'>[], end: AuditExportEnd | undefined): Set<ServiceName> =>
  new Set([...entries.map(({ value }) => value.service), ...(end?.chains ?? []).map(({ service }) => service)]);

const chainsOf = (entries: readonly Of<'entry'>[], end: AuditExportEnd | undefined): ExportFinding[] =>
  [...byService(entries, end)].flatMap((service) => {
    const chain = end?.chains.find((one) => one.service === service);
    const mine = entries.filter(({ value }) => value.service === service);
    return [...foreign(mine, chain, end), ...chainFindings(service, mine, chain)];
  });

/** Entries that this file lacks, according to its signed end. */
const foreign = (
  entries: readonly Of<'entry'>[],
  chain: Chain | undefined,
  end: AuditExportEnd | undefined,
): ExportFinding[] => {
  if (end === undefined) return [];
  return entries
    .filter(
      ({ value }) =>
        value.workspace !== end.workspace || chain === undefined || value.seq < chain.first || value.seq > chain.last,
    )
    .map((line) => ({ problem: 'added', ...placeOf(line) }));
};

/** One chain in the order of its places: missing, repeated and edited entries, and links that do not hold. */
const chainFindings = (
  service: ServiceName,
  entries: readonly Of<'entry'>[],
  chain: Chain | undefined,
): ExportFinding[] => {
  const findings: ExportFinding[] = [];
  let seq = chain === undefined ? (Math.min(...entries.map(({ value }) => value.seq)) || 1) - 1 : chain.first - 1;
  /** The hash that the next entry has to name; unknown after an entry that is missing or edited. */
  let hash: string | null = chain?.prev ?? null;
  for (const line of [...entries].sort((one, other) => one.value.seq - other.value.seq)) {
    const { value } = line;
    const edited = hashOf(value) !== value.hash;
    if (edited) findings.push({ problem: 'edited', ...placeOf(line) });
    if (value.seq === seq) {
      findings.push({ problem: 'repeated', ...placeOf(line) });
      continue;
    }
    if (value.seq > seq + 1) {
      findings.push({ problem: 'dropped', what: 'entry', line: line.line, service, seq: seq + 1, last: value.seq - 1 });
      hash = null;
    }
    if (!edited && hash !== null && value.prev !== hash) findings.push({ problem: 'relinked', ...placeOf(line) });
    seq = value.seq;
    hash = edited ? null : value.hash;
  }
  if (chain === undefined) return findings;
  if (seq < chain.last)
    findings.push({ problem: 'dropped', what: 'entry', line: null, service, seq: seq + 1, last: chain.last });
  else if (seq === chain.last && hash !== null && hash !== chain.hash)
    findings.push({ problem: 'rewritten', what: 'entry', line: lineAt(entries, seq), service, seq });
  return findings;
};

const lineAt = (entries: readonly Of<'entry'>[], seq: number): number | null =>
  entries.find(({ value }) => value.seq === seq)?.line ?? null;

/** Compares checkpoints with the entries that they sign, and with those that the end says the file holds. */
const checkpointsOf = (
  checkpoints: readonly Of<'checkpoint'>[],
  entries: readonly Of<'entry'>[],
  end: AuditExportEnd | undefined,
): ExportFinding[] => {
  const at = new Map(entries.map((line) => [`${line.value.service} ${line.value.seq}`, line]));
  const held = new Set<string>();
  const findings = checkpoints.flatMap((line): ExportFinding[] => {
    const { service, seq, hash, workspace } = line.value;
    const place = `${service} ${seq}`;
    const named = end?.chains.find((chain) => chain.service === service)?.checkpoints.includes(seq);
    if (held.has(place)) return [{ problem: 'repeated', ...placeOf(line) }];
    held.add(place);
    if (end !== undefined && (workspace !== end.workspace || named !== true))
      return [{ problem: 'added', ...placeOf(line) }];
    const entry = at.get(place);
    if (entry === undefined || isEdited(entry.value) || entry.value.hash === hash) return [];
    return [{ problem: 'rewritten', ...placeOf(entry) }];
  });
  const missing = (end?.chains ?? []).flatMap(({ service, checkpoints: seqs }) =>
    seqs
      .filter((seq) => !held.has(`${service} ${seq}`))
      .map((seq) => ({ problem: 'dropped' as const, what: 'checkpoint' as const, line: null, service, seq })),
  );
  return [...findings, ...missing];
};

const isEdited = (entry: AuditEntry): boolean => hashOf(entry) !== entry.hash;
