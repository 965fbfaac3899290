import type { ReadHandler } from '@cds/service';
import { addDays, dayOf } from '@cds/service/calendar';
import { FRESH_DAYS } from '../../domain/constants.js';
import type { Identities } from '../../identity/identities.js';
import { expiresOn } from '../../present/ops-creator.js';
import type { OperatedCreators } from '../../store/operated-creators.js';

const PAGE = 50;

/** Soonest to expire first, those that never expire last. Source: docs/domain/operators.md#operators. */
export const opsPricesList: ReadHandler<
  'ops_prices_list',
  { operated: OperatedCreators; identities: Identities }
> = async (ctx, input, { operated, identities }) => {
  const day = dayOf(ctx.networkNow);
  const until = input.expiring_days === undefined ? null : addDays(day, input.expiring_days);
  const latest = until === null ? null : addDays(until, -FRESH_DAYS - 1);
  const creators = await operated.pricedBetween(day, input.expiring_days ?? null, latest);

  const prices = creators
    .flatMap((creator) =>
      creator.units.flatMap((unit) => (unit.price === null ? [] : [{ creator, unit, price: unit.price }])),
    )
    .map((one) => ({ ...one, expires: expiresOn(one.price) }))
    .filter(({ expires }) => until === null || (expires !== null && expires > day && expires <= until))
    .sort((one, other) => order(one.expires, other.expires) || (one.unit.unit_id < other.unit.unit_id ? -1 : 1));
  const from = offsetOf(input.cursor);
  const to = from + (input.limit ?? PAGE);
  const page = prices.slice(from, to);
  const known = new Map(
    (await identities.ofCreators(page.map(({ creator }) => creator._id))).map((one) => [one._id, one]),
  );

  return {
    prices: page.map(({ creator, unit, price, expires }) => ({
      creator_id: creator._id,
      handle: known.get(creator._id)?.handle ?? null,
      name: creator.name,
      unit_id: unit.unit_id,
      format: unit.format,
      price_cents: price.price_cents,
      price_as_of: price.as_of,
      price_method: price.method,
      expires_on: expires,
    })),
    next: to < prices.length ? String(to) : null,
  };
};

const order = (one: string | null, other: string | null): number =>
  one === other ? 0 : one === null ? 1 : other === null ? -1 : one < other ? -1 : 1;

export const offsetOf = (cursor: string | undefined): number => (/^\d{1,9}$/.test(cursor ?? '') ? Number(cursor) : 0);
