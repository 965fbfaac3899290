import type { RequestLog } from '@cds/contracts';
import type { LogPlace, LogRow } from '../../edge/port.js';

export const presentLogRow = (row: LogRow, keyName: string): RequestLog['requests'][number] => ({
  id: row._id,
  at: row.at.toISOString(),
  key_id: row.key_id,
  key_name: keyName,
  door: row.transport,
  operation: row.operation,
  method: row.method,
  path: row.path,
  status: row.status,
  code: row.code,
  reason: row.reason,
  duration_ms: row.duration_ms,
  request_id: row.request_id,
});

export const cursorOf = ({ at, _id }: LogPlace): string => Buffer.from(`${at.getTime()}.${_id}`).toString('base64url');

const PLACE = /^(\d{1,15})\.([0-9a-f-]{36})$/;

export const readCursor = (cursor: string): LogPlace | undefined => {
  const [, at, _id] = PLACE.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return at === undefined || _id === undefined ? undefined : { at: new Date(Number(at)), _id };
};
