import { randomUUID } from 'node:crypto';
import { AppError, FORMATS, type Input } from '@cds/contracts';
import { actorOf, type WriteHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { isBookable } from '../../domain/creator/bookable.js';
import type { Creator, CurrentPrice, Unit } from '../../domain/creator/creator.js';
import { unitAsked } from '../../domain/import/import-units.js';
import { allInCents, DELIVERABLE, FORMAT_LABEL } from '../../domain/pricing/prices.js';
import type { OperatorCreatorService } from '../../operators/operator-creator-service.js';
import type { PriceAsks } from '../../store/price-asks.js';

/**
 * In US cents (docs/domain/network.md#prices). On sale, it answers the creator's open asks; under the team's price an
 * ask opens a task. Raises not_found, conflict (bad_state), unprocessable.
 */
export const opsPriceSet: WriteHandler<
  'ops_price_set',
  { operatorCreators: OperatorCreatorService; priceAsks: PriceAsks }
> = async (ctx, input, { operatorCreators, priceAsks }) => {
  const held = await operatorCreators.toChange(input.id);

  mustBePriced(input, dayOf(ctx.networkNow));
  const offered: CurrentPrice = {
    price_cents: allInCents(input.ask_cents),
    source: input.source,
    method: input.team_set === true ? 'set_price' : input.source === 'team' ? 'agreed_rate' : 'stated',
    as_of: input.as_of,
    recorded_at: ctx.networkNow,
  };
  const unit = unitOf(held.creator, input.format);
  const { unit: priced, task } = unitAsked(unit, input.ask_cents, offered, held.creator._id);
  const units = withUnit(held.creator.units, priced);

  const onSale = isBookable({ ...held.creator, units }, dayOf(ctx.networkNow));

  return operatorCreators.change(ctx, held, {
    action: 'price.set',
    reason: input.reason,
    set: { units },
    tasks: task === null ? [] : [task],
    price: {
      _id: randomUUID(),
      unit_id: unit.unit_id,
      creator_id: held.creator._id,
      net_ask_cents: input.ask_cents,
      set_by: actorOf(ctx),
      ...offered,
    },
    ...(onSale ? { also: (tx) => priceAsks.endAll(tx, held.creator._id, 'priced', ctx.networkNow) } : {}),
  });
};

const mustBePriced = (input: Input<'ops_price_set'>, today: string): void => {
  const problems = [
    ...(input.as_of > today ? [{ field: 'as_of', message: 'must not be in the future' }] : []),
    ...(input.team_set === true && input.source === 'creator'
      ? [{ field: 'team_set', message: 'must be false for a price that the creator stated' }]
      : []),
  ];
  if (problems.length > 0)
    throw new AppError('unprocessable', 'The price cannot be set. Correct the fields in details.problems.', {
      problems,
    });
};

const unitOf = (creator: Creator, format: Unit['format']): Unit =>
  creator.units.find((unit) => unit.format === format) ?? {
    unit_id: randomUUID(),
    format,
    label: FORMAT_LABEL[format],
    deliverable: DELIVERABLE[format],
    price: null,
  };

const withUnit = (units: readonly Unit[], changed: Unit): Unit[] =>
  [...units.filter((unit) => unit.format !== changed.format), changed].sort(
    (one, other) => FORMATS.indexOf(one.format) - FORMATS.indexOf(other.format),
  );
