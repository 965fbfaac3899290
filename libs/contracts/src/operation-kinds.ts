import type { Scope } from './scope.js';

// What operations of one kind have in common. A declaration spreads its kind and says the rest.

export const internalReads = { audience: 'internal', scope: null, effect: 'read' } as const;

/** A write that only other services call: idempotent by an id of its own, or by its frame, which is accepted once. */
export const internalWrites = { audience: 'internal', scope: null, effect: 'write' } as const;

export const gatewayReads = { ...internalReads, callers: ['gateway'] } as const;

export const gatewayWrites = { ...internalWrites, callers: ['gateway'] } as const;

export const brandReads = <const S extends Scope | 'any'>(scope: S) =>
  ({ audience: 'brand', scope, effect: 'read' }) as const;

export const brandWrites = <const S extends Scope | 'any'>(scope: S) =>
  ({ audience: 'brand', scope, effect: 'write', idempotency: 'required' }) as const;

export const sandboxReads = <const S extends Scope | 'any'>(scope: S) =>
  ({ audience: 'sandbox', scope, effect: 'read' }) as const;

export const sandboxWrites = <const S extends Scope | 'any'>(scope: S) =>
  ({ audience: 'sandbox', scope, effect: 'write', idempotency: 'required' }) as const;

/** An operation of a brand's people (docs/domain/access.md#developers-area). */
export const ofPeople = { audience: 'person', scope: null } as const;
