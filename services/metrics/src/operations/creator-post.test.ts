import type { CreatorPost, Input } from '@cds/contracts';
import type { Change, Ctx } from '@cds/service';
import { aCtx } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { aBooking, aSignedLine, postUrlAt } from '../test/builders.js';
import { testPosts } from '../test/suite.js';
import { creatorAnalytics, creatorPost, creatorPostRead } from './creator-post.js';
import { opsLineLook } from './ops-posts.js';

const NOW = '2026-12-02T12:00:00.000Z';
const A_WEEK_LATER = '2026-12-09T13:00:00.000Z';

/** docs/domain/pages.md#creator-links, docs/domain/orders.md#proof, docs/domain/orders.md#results. */
describe('a creator with a booked line', () => {
  const world = testPosts();

  const booked = async (sandbox = false) => {
    const order = await world.booked({ sandbox, lines: [aSignedLine()] });
    const line = order.lines[0] ?? aSignedLine();
    return { order, line, ws: order.workspace, id: line.line_id };
  };
  type Booked = Pick<Awaited<ReturnType<typeof booked>>, 'ws' | 'id'>;
  const asCreator = ({ ws, id }: Booked, now = NOW, attempt = 1): Ctx => {
    const ctx = aCtx({ workspace: ws, now, mandate: null });
    const creator = { id: 'c', proposal: `p-${id}`, line: id, attempt };
    return { ...ctx, principal: { ...ctx.principal, audience: 'creator', key: '', creator } };
  };
  const done = (decided: unknown): Promise<CreatorPost> => world.done(decided as Change<CreatorPost>);
  const submit = async (of: Booked, over: Partial<Input<'creator_post'>> = {}, now = NOW): Promise<CreatorPost> =>
    done(await creatorPost(asCreator(of, now), { url: postUrlAt('2026-12-02T10:00:00.000Z'), ...over }, world.deps));
  const send = async (of: Booked, input: Input<'creator_analytics'>, now = NOW): Promise<CreatorPost> =>
    done(await creatorAnalytics(asCreator(of, now), input, world.deps));
  const read = async ({ ws, id }: Booked, attempt = 1): Promise<CreatorPost | null> =>
    (
      (await creatorPostRead(asCreator({ ws, id }), { line_id: id, attempt }, world.deps)) as {
        post: CreatorPost | null;
      }
    ).post;
  const kindsOf = (id: string) => world.tasksOf(id);
  const notBooked = { code: 'conflict', details: { reason: 'not_booked' } };
  const wrong = (field: string) => ({ code: 'unprocessable', details: { problems: [{ field }] } });

  it('reads what is missing, submits the post, and has it live with a look by the team', async () => {
    const of = await booked();
    expect(await read(of)).toMatchObject({ status: 'booked', needs: 'post', may: ['post'], url: null });
    await expect(submit(of, { disclosure: 'the label' })).rejects.toMatchObject(wrong('disclosure'));
    const url = postUrlAt('2026-12-02T09:00:00.000Z', 'Demo_Ada').replace('https://x.com', 'twitter.com');
    expect(await submit(of, { url, disclosure: 'It says #AD at the end' })).toEqual({
      status: 'live',
      needs: null,
      needs_by: null,
      url: postUrlAt('2026-12-02T09:00:00.000Z'),
      published_at: '2026-12-02T09:00:00.000Z',
      disclosure: '#ad',
      readings: [],
      may: ['analytics'],
    });
    expect((await world.emitted(of.id)).at(-1)).toMatchObject({ status: 'live', attempt: 1 });
    expect(await kindsOf(of.id)).toEqual(['post_to_look_at']);
    await expect(submit(of)).rejects.toMatchObject(notBooked);
  });

  it('says that a live post shows its disclosure now, of that post alone, and has it looked at again', async () => {
    const of = await booked();
    const url = postUrlAt('2026-12-02T06:50:00.000Z');
    expect((await submit(of, { url })).may).toEqual(['analytics']);
    const clocks = { now: async () => new Date(NOW) } as never;
    const look = { id: of.id, verdict: 'accepted' as const, reason: 'a test' };
    await done(await opsLineLook(aCtx({ now: NOW }), look, { ...world.deps, clocks }));
    expect(await read(of)).toMatchObject({ status: 'live', needs: 'disclosure', may: ['post', 'analytics'] });

    const other = postUrlAt('2026-12-02T11:00:00.000Z');
    await expect(submit(of, { url: other, disclosure: '#ad' })).rejects.toMatchObject(wrong('url'));
    const said = await submit(of, { url, disclosure: '#ad' }, '2026-12-02T18:00:00.000Z');
    expect(said).toMatchObject({ status: 'live', needs: null, disclosure: '#ad', may: ['analytics'] });
    await world.liveSweep('2026-12-03T12:00:00.000Z');
    expect(await read(of)).toMatchObject({ status: 'live', disclosure: '#ad' });
    expect(await kindsOf(of.id)).toEqual(['post_to_look_at', 'post_to_look_at']);
  });

  it('adds figures of the post, and proves it a week later, which the team looks at', async () => {
    const of = await booked();
    await expect(send(of, { views: 1 })).rejects.toMatchObject(notBooked);
    const url = postUrlAt('2026-12-02T06:00:00.000Z');
    await submit(of, { url });
    const first = await send(of, { views: 9_000, likes: 120 });
    expect(first.readings).toEqual([
      expect.objectContaining({ captured_at: NOW, views: 9_000, likes: 120, comments: null, source: 'creator' }),
    ]);
    await expect(send(of, { views: 9_001, captured_at: NOW })).rejects.toMatchObject(wrong('captured_at'));
    await expect(send(of, { views: 1, captured_at: '2026-12-02T05:00:00.000Z' })).rejects.toMatchObject(
      wrong('captured_at'),
    );
    await expect(send(of, {})).rejects.toMatchObject(wrong('views'));

    const csv = `Post id,Date,Post text,Impressions,Likes,Replies,Reposts\n1,x,"Hi, all",5,1,0,0\n${url.split('/').at(-1)},x,"An ""ad""",8200,130,4,9\n`;
    expect(await send(of, { csv }, A_WEEK_LATER)).toMatchObject({
      status: 'completed',
      readings: [{ views: 8_200, likes: 130, comments: 4, shares: 9 }, { views: 9_000 }],
      may: ['analytics'],
    });
    expect(await kindsOf(of.id)).toEqual(['post_to_look_at', 'views_fell', 'post_to_look_at']);
    expect((await world.emitted(of.id)).at(-1)).toMatchObject({ status: 'completed' });
    expect((await read(of))?.readings).toHaveLength(2);
  });

  it('finds nothing of the line once it is another attempt’s, or of another line', async () => {
    const of = await booked();
    const replaced = aBooking(of.order, of.line, { version: 4, attempt: 2, creator_id: 'c2' });
    await world.deliver(world.consumers.line, replaced);
    expect([await read(of, 1), (await read(of, 2))?.status]).toEqual([null, 'booked']);
    await expect(submit(of)).rejects.toMatchObject(notBooked);
    const other = await booked();
    await expect(submit({ ws: of.ws, id: other.id })).rejects.toMatchObject(notBooked);
    await expect(creatorPost(aCtx({ workspace: of.ws }), { url: postUrlAt(NOW) }, world.deps)).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });

  it('plays in a sandbox without tasks', async () => {
    const of = await booked(true);
    expect(await submit(of, { url: postUrlAt('2026-12-02T05:30:00.000Z') })).toMatchObject({ status: 'live' });
    expect(await kindsOf(of.id)).toEqual([]);
  });
});
