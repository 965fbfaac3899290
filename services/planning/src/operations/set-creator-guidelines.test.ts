import { proves } from '@cds/contracts/testing';
import { HOSTILE_TEXTS } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NO_GUIDELINES } from '../domain/plan.js';
import { aUnit, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again } from '../test/world.js';

const WHOLE = {
  pitch: 'Try Rocket.',
  key_messages: ['It is quick'],
  references: ['https://acme.example/rocket'],
  voice: 'Plain',
  dos: ['Show it'],
  donts: ['Do not compare'],
};

describe('set_creator_guidelines', () => {
  const world = testWorld('set_creator_guidelines');

  it('replaces the whole set: a field left out is cleared', async () => {
    proves('guidelines.replaces-set', 'status.guidelines-six');
    const { ctx, campaign } = await world.planned({ units: [aUnit()] });
    expect(await world.value('set_creator_guidelines', ctx, { id: campaign._id, ...WHOLE })).toEqual({
      campaign_id: campaign._id,
      creator_guidelines: WHOLE,
    });
    const next = await world.value('set_creator_guidelines', again(ctx), { id: campaign._id, voice: 'Warm' });
    expect(next.creator_guidelines).toEqual({ ...NO_GUIDELINES, voice: 'Warm' });
    const status = await world.value('campaign_status', again(ctx), { id: campaign._id });
    expect(status.creator_guidelines).toEqual(next.creator_guidelines);

    const { outbox } = await world.documents(campaign.ws);
    expect(outbox).toHaveLength(2);
    const published = outbox?.map((one) => one['payload'] as { version: number; guidelines: object });
    expect(published?.find((one) => one.version === 2)?.guidelines).toEqual(WHOLE);
    expect(published?.find((one) => one.version === 3)?.guidelines).toEqual(next.creator_guidelines);
  });

  it.each<[string, object, string | null]>([
    ['a pitch for what may not be promoted', { pitch: 'Play at our online casino' }, 'category_banned'],
    ['a voice', { voice: 'Say that our online casino pays' }, 'category_banned'],
    ['a message in letters that only look so', { key_messages: ['An online саsinо'] }, 'category_review'],
    ['something to do that the team reviews', { dos: ['Say when the token sale opens'] }, 'category_review'],
    ['what creators are not to say', { donts: ['No word about our online casino'] }, null],
  ])('screens %s', async (_name, guidelines, reason) => {
    const { ctx, campaign } = await world.planned({ units: [aUnit()] });
    const of = { id: campaign._id, ...guidelines };
    if (reason === null) await world.value('set_creator_guidelines', ctx, of);
    else expect((await world.error('set_creator_guidelines', ctx, of)).details).toMatchObject({ reason });
    const stored = await world.deps.campaigns.byId(campaign.ws, campaign._id);
    expect(stored?.guidelines).toMatchObject(reason === null ? guidelines : NO_GUIDELINES);
  });

  it('publishes, stores and replays the words as they were written', async () => {
    const word = fc
      .array(fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'grapheme' })), {
        minLength: 1,
        maxLength: 3,
      })
      .map((parts) => parts.join('').toWellFormed());
    const { ctx, campaign } = await world.planned({ units: [aUnit()] });
    await fc.assert(
      fc.asyncProperty(word, fc.array(word, { maxLength: 3 }), async (text, list) => {
        const set = { ...WHOLE, pitch: text, voice: text, key_messages: list, dos: [text, ...list], donts: list };
        const of = again(ctx);
        const answer = await world.value('set_creator_guidelines', of, { id: campaign._id, ...set });
        expect(answer).toEqual({ campaign_id: campaign._id, creator_guidelines: set });
        expect(await world.call('set_creator_guidelines', of, { id: campaign._id, ...set })).toMatchObject({
          replayed: true,
          value: answer,
        });
        const status = await world.value('campaign_status', again(ctx), { id: campaign._id });
        expect(status.creator_guidelines).toEqual(set);
      }),
      { numRuns: 30, examples: HOSTILE_TEXTS.map((text) => [text.toWellFormed(), [text.toWellFormed()]]) },
    );
  }, 60_000);

  it('changes neither version nor fingerprint of the plan, signed or not', async () => {
    for (const plan of [{}, { status: 'approved' as const, approved_at: NOW }]) {
      const set = await world.planned({ units: [aUnit()], plan });
      await world.value('set_creator_guidelines', set.ctx, { id: set.campaign._id, ...WHOLE });
      expect(await world.deps.plans.byId(set.plan.ws, set.plan._id)).toEqual(set.plan);
    }
  });
});
