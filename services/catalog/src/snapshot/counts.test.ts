import { FORMATS, type Input } from '@cds/contracts';
import { Encoded } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { proves } from '@cds/service/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../domain/constants.js';
import { bookableFilter } from '../domain/creator/bookable.js';
import type { Creator } from '../domain/creator/creator.js';
import { startOf } from '../domain/days.js';
import { creatorsSearch } from '../operations/creators-search.js';
import { guestInventory } from '../operations/guest-inventory.js';
import { inventory } from '../operations/inventory.js';
import { networkFacts } from '../operations/network-facts.js';
import { planQuoteGuest } from '../operations/plan-quote-guest.js';
import { aGuest, aRequest, NOW } from '../test/network.js';
import { testNetwork } from '../test/suite.js';

const AUDIENCES = ['startup founders', 'AI builders', 'people who trade crypto'] as const;
const DAYS = 40;
/** Times of a day: its first and last moments, and one between. */
const INSTANTS = [0, 1, DAY_MS / 2, DAY_MS - 1] as const;

type Counts = { total: number; priced: number; catalog: { approved: number; priced: number } };

/** I45: every caller, through every surface, at every moment, gets the same numbers for one network. */
describe('counts of every surface', () => {
  const network = testNetwork('counts');

  const answerOf = <T>(answer: T | Encoded): T => {
    if (answer instanceof Encoded) throw new Error('this answer is not encoded before');
    return answer;
  };
  const listed = async (query: Input<'creators_search'>, over: Parameters<typeof aRequest>[0]): Promise<Counts> => {
    const meters = { book: async () => ({ granted: [], refused: null, at: new Date(NOW), n: 1 }) };
    const encoded = await creatorsSearch(aRequest(over), query, { ...network, meters });
    if (!(encoded instanceof Encoded)) throw new Error('a list is answered as bytes');
    return JSON.parse(Buffer.from(encoded.json as Uint8Array).toString()) as Counts;
  };
  const xCreators = async (over: Parameters<typeof aRequest>[0]) => {
    const { channels } = answerOf(await inventory(aRequest(over), {}, network));
    const [found] = channels;
    if (found === undefined) throw new Error('inventory names no channel');
    return found;
  };

  beforeAll(async () => {
    await network.generate({ creators: 400, seed: 3 });
    await network.memory.follow(dayOf(new Date(NOW)));
    for (const audience of AUDIENCES)
      await network.contexts.take({ workspace: audience, version: 1, audience }, new Date(NOW));
  }, 120_000);

  /** Every count at one instant, compared with the database's own count of the rule. */
  const agreeAt = async (at: Date): Promise<number> => {
    const now = at.toISOString();
    const facts = answerOf(await networkFacts(aRequest({ now }), {}, network));
    const whole = await xCreators({ now, workspace: 'without-context' });
    const day = dayOf(at);
    const stored = {
      approved: await network.store.db.collection('creators').countDocuments({ status: 'approved', active: true }),
      priced: await network.creators.rows.countDocuments(bookableFilter(day)),
    };
    const seen = answerOf(await guestInventory(aGuest('counts', { now }), {}, network));
    const guestQuotes = {
      book: async () => ({ granted: true, left: 2 }) as const,
      left: async () => ({ left: 3, resetsAt: null }),
    };

    expect({ now, ...stored }).toEqual({ now, approved: facts.approved, priced: facts.priced });
    expect(whole).toMatchObject({ verified_nodes: facts.approved, bookable_nodes: facts.priced });
    expect(seen).toMatchObject({ catalog: stored, channels: [whole] });
    expect(await listed({ followers_min: 0 }, { now })).toMatchObject({ catalog: stored });
    for (const format of FORMATS) {
      const quote = planQuoteGuest(aGuest('counts', { now }), { format, posts: 1 }, { ...network, guestQuotes });
      const guest = answerOf(await quote);
      const selling = await listed({ format }, { now });
      expect(guest).toMatchObject({ creators_on_sale: facts.priced, creators_in_format: selling.total });
      expect(selling.priced).toBe(selling.total);
    }
    for (const workspace of AUDIENCES) {
      const covered = await xCreators({ now, workspace });
      const list = await listed({}, { now, workspace });
      expect({ now, workspace, verified: list.total, bookable: list.priced }).toEqual({
        now,
        workspace,
        verified: covered.verified_nodes,
        bookable: covered.bookable_nodes,
      });
      expect(list.catalog).toEqual(stored);
      expect(list.priced).toBeLessThanOrEqual(list.total);
      expect(list.total).toBeLessThanOrEqual(stored.approved);
    }
    return facts.priced;
  };

  it(`agree at each turn of ${DAYS} days, while prices expire and creators change`, async () => {
    proves('bookable.one-rule-every-count', 'bookable.fresh-price', 'inventory.bookable-equals-priced');
    proves('inventory.verified-equals-bare-total', 'creators.catalog-whole-network', 'facts.approved-priced');
    const rows = network.store.db.collection<Creator>('creators');
    const priced: number[] = [];
    for (let day = 0; day < DAYS; day += 1) {
      const from = startOf(dayOf(new Date(NOW))).getTime() + day * DAY_MS;
      for (const instant of INSTANTS) {
        const at = new Date(from + instant);
        if (at.getTime() >= Date.parse(NOW)) priced.push(await agreeAt(at));
      }
      const some = await rows.find({ 'generated.index': { $mod: [40, day] } }).toArray();
      const field = (['active', 'excluded', 'flag_inactive'] as const)[day % 3] ?? 'active';
      for (const { _id, [field]: on } of some) await rows.updateOne({ _id }, { $set: { [field]: !on } });
      await network.memory.take(
        some.map(({ _id }) => _id),
        dayOf(new Date(Math.max(from, Date.parse(NOW)))),
      );
    }
    expect(Math.max(...priced)).toBeGreaterThan(100);
    expect(Math.min(...priced)).toBeLessThan(Math.max(...priced) / 2);
  }, 120_000);
});
