import { type AuditCheckpoint, type AuditEntry, SERVICES, type ServiceName } from '@cds/contracts';
import { AUDIT_FORMAT, type AuditKey, type Ctx, canonicalJson, Encoded } from '@cds/service';
import { auditCursor, auditPlacesIn } from './domain/audit-cursor.js';
import { type AuditTrails, askAll, badCursor } from './trails.js';

/** How many entries one call reads, and how many one file holds of a service at most. */
const PAGE = 1_000;
const FILE_MAX = 10_000;

type Part = {
  service: ServiceName;
  entries: AuditEntry[];
  checkpoints: AuditCheckpoint[];
  /** The place after which the next file continues. */
  after: number;
  whole: boolean;
};

/**
 * One workspace's chains as JSON Lines (docs/reliability.md#audit-format). A longer chain continues in the next file.
 */
export const exportFile = async (
  ctx: Ctx,
  trails: AuditTrails,
  key: AuditKey,
  of: { workspace: string; cursor: string | undefined },
): Promise<Encoded> => {
  const from = of.cursor === undefined ? null : auditPlacesIn('export', of.cursor);
  if (of.cursor !== undefined && from === null) throw badCursor();

  const parts = await askAll(SERVICES, (service) => readPart(ctx, trails, service, of.workspace, from?.[service] ?? 0));

  const next = parts.every(({ whole }) => whole) ? null : cursorAfter(parts);
  const end = key.sign({
    kind: 'end',
    format: AUDIT_FORMAT,
    workspace: of.workspace,
    at: ctx.networkNow.toISOString(),
    chains: parts.flatMap(chainIn),
    next,
  });
  const lines = [...parts.flatMap(({ entries }) => entries), ...parts.flatMap(({ checkpoints }) => checkpoints), end];
  return new Encoded(lines.map((line) => `${canonicalJson(line)}\n`).join(''));
};

const readPart = async (
  ctx: Ctx,
  trails: AuditTrails,
  service: ServiceName,
  workspace: string,
  from: number,
): Promise<Part> => {
  const part: Part = { service, entries: [], checkpoints: [], after: from, whole: false };
  while (!part.whole && part.entries.length < FILE_MAX) {
    const { entries, checkpoints } = await trails[service].chain(ctx, { workspace, after: part.after, limit: PAGE });
    part.entries.push(...entries);
    part.checkpoints.push(...checkpoints);
    part.after = entries.at(-1)?.seq ?? part.after;
    part.whole = entries.length < PAGE;
  }
  return part;
};

const chainIn = ({ service, entries, checkpoints }: Part) => {
  const first = entries.at(0);
  const last = entries.at(-1);
  if (first === undefined || last === undefined) return [];
  return [
    {
      service,
      first: first.seq,
      prev: first.prev,
      last: last.seq,
      hash: last.hash,
      checkpoints: checkpoints.map(({ seq }) => seq),
    },
  ];
};

const cursorAfter = (parts: readonly Part[]): string =>
  auditCursor(
    'export',
    Object.fromEntries(parts.map(({ service, after }) => [service, after])) as Record<ServiceName, number>,
  );
