import { type Consumer, consumerOf, type DueFacts, type Outbox } from '@cds/service';
import { followPost } from '../domain/follow-post.js';
import { lineChanged } from '../present/line-changed.js';
import type { Offers } from '../store/offers.js';

export const postChanged = ({ offers, outbox, due }: { offers: Offers; outbox: Outbox; due: DueFacts }): Consumer =>
  consumerOf({
    event: 'post.changed',
    apply: async (tx, post, at) => {
      const before = await offers.byLine(post.workspace, post.line_id, tx);
      if (before === null || before.proposal === null) return;
      const chain = { line: before.line, proposal: before.proposal };
      const move = followPost(chain, post);
      if (move === null) return;
      await offers.save(tx, chain, move);
      if (move.emits) await outbox.add(tx, [{ name: 'line.changed', payload: lineChanged(move.chain) }], at);
    },
    applied: (posts) => due.applied(posts.flatMap(({ remedy, workspace }) => (remedy == null ? [] : workspace))),
  });
