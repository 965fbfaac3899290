import type { KeyObject } from 'node:crypto';
import type { AuditEntry, ServiceName } from '@cds/contracts';
import { AUDIT_FORMAT, hashOf, NO_PREVIOUS } from '../audit/entry.js';
import type { ExportFinding } from '../audit/export-check.js';
import { AuditKey } from '../audit/signature.js';
import { canonicalJson } from '../pure/canonical-json.js';

const WORKSPACE = '00000000-0000-4000-8000-00000000a11d';
const CHAINS: readonly ServiceName[] = ['gateway', 'planning', 'billing'];
/** Entries of each chain, and the places of its checkpoints. */
const LENGTH = 12;
const SIGNED = [6, 12];
const ENTRIES = CHAINS.length * LENGTH;

const at = (seq: number): string => new Date(Date.UTC(2026, 10, 21, 12, 0, seq)).toISOString();

const aChain = (service: ServiceName, change?: (entry: AuditEntry) => AuditEntry): AuditEntry[] => {
  let prev = NO_PREVIOUS;
  return Array.from({ length: LENGTH }, (_none, index) => {
    const seq = index + 1;
    const entry: AuditEntry = {
      format: AUDIT_FORMAT,
      service,
      workspace: WORKSPACE,
      seq,
      prev,
      id: `00000000-0000-7000-8000-${service.length}${String(seq).padStart(11, '0')}`,
      at: at(seq),
      actor: `key:${service}`,
      action: 'plan.approve',
      object: `object-${seq}`,
      reason_hash: seq % 3 === 0 ? 'c'.repeat(64) : null,
      payload_hash: 'd'.repeat(64),
      hash: '',
    };
    const made = change === undefined ? entry : change(entry);
    prev = hashOf(made);
    return { ...made, hash: prev };
  });
};

export type Export = { text: string; key: string };

/**
 * Three chains with two checkpoints each. From `rewriteFrom` on the entries are computed again, checkpoints and end
 * not.
 */
export const anExport = (
  signer: KeyObject,
  of: { rewriteFrom?: [ServiceName, number]; next?: string } = {},
): Export => {
  const key = new AuditKey(signer);
  const chains = CHAINS.map((service) => aChain(service));
  const checkpoints = chains.flatMap((chain) =>
    SIGNED.flatMap((place) =>
      chain
        .filter(({ seq }) => seq === place)
        .map(({ service, workspace, seq, hash }) =>
          key.sign({ kind: 'checkpoint', format: AUDIT_FORMAT, service, workspace, seq, hash, at: at(seq) }),
        ),
    ),
  );
  const end = key.sign({
    kind: 'end',
    format: AUDIT_FORMAT,
    workspace: WORKSPACE,
    at: at(LENGTH),
    chains: chains.map((chain, index) => ({
      service: CHAINS[index],
      first: 1,
      prev: NO_PREVIOUS,
      last: LENGTH,
      hash: chain.at(-1)?.hash,
      checkpoints: SIGNED,
    })),
    next: of.next ?? null,
  });
  const shown = chains.map((chain, index) => {
    if (of.rewriteFrom === undefined) return chain;
    const [service, from] = of.rewriteFrom;
    if (service !== CHAINS[index]) return chain;
    return aChain(service, (entry) => (entry.seq === from ? { ...entry, object: 'another' } : entry));
  });
  const lines = [...shown.flat(), ...checkpoints, end];
  return { text: lines.map((line) => `${canonicalJson(line)}\n`).join(''), key: key.name };
};

export type Tampered = { name: string; text: string; finds: Partial<ExportFinding>[] };

/** The place of an entry by its line, from 1. */
const placeOf = (line: number) => ({
  service: CHAINS[Math.floor((line - 1) / LENGTH)] as ServiceName,
  seq: ((line - 1) % LENGTH) + 1,
});

const EDITS: Readonly<Record<string, (value: never) => unknown>> = {
  seq: (value: number) => value + 100,
  prev: () => 'e'.repeat(64),
  id: () => '00000000-0000-7000-8000-999999999999',
  at: () => '2026-11-20T12:00:00.000Z',
  actor: () => 'key:another',
  action: () => 'plan.edit',
  object: () => 'another',
  reason_hash: () => 'f'.repeat(64),
  payload_hash: () => '0'.repeat(64),
  hash: () => '1'.repeat(64),
};

/** 200 files that differ from the export: every kind of change, over all chains, places and fields. */
export const tamperedFiles = ({ text }: Export): Tampered[] => {
  const lines = text.trimEnd().split('\n');
  const joined = (changed: readonly string[]) => changed.map((line) => `${line}\n`).join('');
  return [
    ...edited(lines, joined),
    ...rehashed(lines, joined),
    ...dropped(lines, joined),
    ...swapped(lines, joined),
    ...repeated(lines, joined),
    ...truncated(lines, joined),
    ...signedEdited(lines, joined),
  ];
};

type Kind = (lines: readonly string[], joined: (lines: readonly string[]) => string) => Tampered[];

const withLine = (lines: readonly string[], line: number, text: string): string[] =>
  lines.map((one, index) => (index === line - 1 ? text : one));

/** 80: each of ten fields at eight entries. */
const edited: Kind = (lines, joined) =>
  Object.entries(EDITS).flatMap(([field, edit], offset) =>
    [1, 5, 9, 13, 17, 24, 30, 36].map((base) => {
      const line = base === 36 || base === 1 ? base : base + (offset % 3);
      const entry = JSON.parse(lines[line - 1] ?? '') as Record<string, unknown>;
      const text = joined(
        withLine(
          lines,
          line,
          canonicalJson({ ...entry, [field]: (edit as (value: unknown) => unknown)(entry[field]) }),
        ),
      );
      const place = field === 'seq' ? {} : placeOf(line);
      return { name: `${field} edited on line ${line}`, text, finds: [{ problem: 'edited', line, ...place }] };
    }),
  );

/** 18: an edited entry whose hash was computed again; the link or the signed hash after it gives it away. */
const rehashed: Kind = (lines, joined) =>
  Array.from({ length: 18 }, (_none, index) => index * 2 + 2).map((line) => {
    const { hash: _hash, ...entry } = JSON.parse(lines[line - 1] ?? '') as AuditEntry;
    const changed = { ...entry, payload_hash: 'a'.repeat(64) };
    const { service, seq } = placeOf(line);
    return {
      name: `line ${line} edited and hashed again`,
      text: joined(withLine(lines, line, canonicalJson({ ...changed, hash: hashOf(changed) }))),
      finds: [
        seq === LENGTH
          ? { problem: 'rewritten', service, seq, line }
          : { problem: 'relinked', service, seq: seq + 1, line: line + 1 },
      ],
    };
  });

/** 30: one entry of each place of a chain, runs of entries, every checkpoint, a whole chain. */
const dropped: Kind = (lines, joined) => {
  const without = (from: number, count: number) =>
    joined(lines.filter((_, i) => i < from - 1 || i >= from - 1 + count));
  const entries = Array.from({ length: 18 }, (_none, index) => index * 2 + 1).map((line): Tampered => {
    const { service, seq } = placeOf(line);
    return {
      name: `line ${line} dropped`,
      text: without(line, 1),
      finds: [{ problem: 'dropped', what: 'entry', service, seq, last: seq }],
    };
  });
  const runs = [
    [1, 3],
    [14, 5],
    [34, 3],
    [1, 12],
    [13, 12],
    [25, 12],
  ].map(([from = 1, count = 1]): Tampered => {
    const { service, seq } = placeOf(from);
    return {
      name: `lines ${from} to ${from + count - 1} dropped`,
      text: without(from, count),
      finds: [{ problem: 'dropped', what: 'entry', service, seq, last: seq + count - 1 }],
    };
  });
  const checkpoints = Array.from({ length: 6 }, (_none, index): Tampered => {
    const line = ENTRIES + index + 1;
    return {
      name: `checkpoint on line ${line} dropped`,
      text: without(line, 1),
      finds: [
        {
          problem: 'dropped',
          what: 'checkpoint',
          service: CHAINS[Math.floor(index / 2)] as ServiceName,
          seq: SIGNED[index % 2] as number,
        },
      ],
    };
  });
  return [...entries, ...runs, ...checkpoints];
};

/** 28: neighbours, distant lines, entries of different chains, checkpoints, and the end. */
const swapped: Kind = (lines, joined) => {
  const neighbours = Array.from({ length: 16 }, (_none, index): [number, number] => [index * 2 + 1, index * 2 + 2]);
  const distant: [number, number][] = [
    [1, 12],
    [1, 36],
    [3, 20],
    [13, 24],
    [7, 31],
    [12, 13],
    [24, 25],
    [2, 37],
    [36, 37],
    [37, 38],
    [39, 42],
    [42, 43],
  ];
  return [...neighbours, ...distant].map(([one, other]): Tampered => {
    const changed = withLine(withLine(lines, one, lines[other - 1] ?? ''), other, lines[one - 1] ?? '');
    return {
      name: `lines ${one} and ${other} swapped`,
      text: joined(changed),
      finds: [
        { problem: 'swapped', line: one },
        { problem: 'swapped', line: other },
      ],
    };
  });
};

/** 8: an entry twice, in its place or at the end. */
const repeated: Kind = (lines, joined) =>
  [1, 8, 12, 13, 20, 25, 33, 36].map((line, index): Tampered => {
    const copy = lines[line - 1] ?? '';
    const after = index % 2 === 0 ? line : ENTRIES;
    return {
      name: `line ${line} repeated after line ${after}`,
      text: joined([...lines.slice(0, after), copy, ...lines.slice(after)]),
      finds: [{ problem: 'repeated', what: 'entry', line: after + 1, ...placeOf(line) }],
    };
  });

/** 20: the file cut off after a line, or within one. */
const truncated: Kind = (lines, joined) => {
  const after = [0, 1, 6, 11, 12, 18, 24, 30, 35, 36, 39, 42].map(
    (count): Tampered => ({
      name: `cut off after line ${count}`,
      text: joined(lines.slice(0, count)),
      finds: [{ problem: 'truncated', what: 'end', line: count + 1 }],
    }),
  );
  const within = [1, 7, 15, 22, 36, 37, 42, 43].map(
    (line): Tampered => ({
      name: `cut off within line ${line}`,
      text: joined(lines.slice(0, line)).slice(0, -20),
      finds: [
        { problem: 'unreadable', line },
        { problem: 'truncated', what: 'end', line: line + 1 },
      ],
    }),
  );
  return [...after, ...within];
};

/** 16: the fields of checkpoints and of the end. */
const signedEdited: Kind = (lines, joined) => {
  const edits: [number, string, unknown][] = [
    [37, 'hash', '1'.repeat(64)],
    [38, 'seq', 11],
    [39, 'at', '2026-11-20T12:00:00.000Z'],
    [40, 'workspace', ''],
    [41, 'service', 'catalog'],
    [42, 'signature', 'A'.repeat(86)],
    [37, 'key', 'A'.repeat(43)],
    [42, 'key', 'not a key'],
    [43, 'workspace', ''],
    [43, 'at', '2026-11-20T12:00:00.000Z'],
    [43, 'chains', []],
    [43, 'next', 'export.1'],
    [43, 'key', 'A'.repeat(43)],
    [43, 'signature', 'A'.repeat(86)],
    [43, 'signature', ''],
    [38, 'signature', ''],
  ];
  return edits.map(([line, field, value]): Tampered => {
    const statement = JSON.parse(lines[line - 1] ?? '') as Record<string, unknown>;
    return {
      name: `${field} of the signed line ${line} edited to ${JSON.stringify(value).slice(0, 12)}`,
      text: joined(withLine(lines, line, canonicalJson({ ...statement, [field]: value }))),
      finds: [{ problem: 'forged', what: line === 43 ? 'end' : 'checkpoint', line }],
    };
  });
};
