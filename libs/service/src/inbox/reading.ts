import {
  type EventDeclaration,
  type EventName,
  type EventPayload,
  eventSubject,
  events,
  type ServiceName,
} from '@cds/contracts';

const bySubject: ReadonlyMap<string, EventDeclaration> = new Map(events.map((event) => [eventSubject(event), event]));

/** `unknown` and `malformed` come from a newer version and are kept for it; `not_mine` is for other services. */
export type Reading =
  | { kind: 'mine'; event: EventName; payload: EventPayload<EventName> }
  | { kind: 'not_mine' }
  | { kind: 'unknown' | 'malformed'; why: string };

export const readEvent = (me: ServiceName, subject: string, text: string): Reading => {
  const event = bySubject.get(subject);
  if (event === undefined) return { kind: 'unknown', why: `this version knows no event with the subject ${subject}` };
  if (!event.consumers.includes(me)) return { kind: 'not_mine' };

  const value = parsed(text);
  const checked = event.payload.safeParse(value);
  if (!checked.success) {
    const fields = checked.error.issues.map(({ path, message }) => `${path.join('.') || 'payload'}: ${message}`);
    return { kind: 'malformed', why: `${event.name} does not match this version (${fields.join('; ')})` };
  }
  return { kind: 'mine', event: event.name as EventName, payload: value as EventPayload<EventName> };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
