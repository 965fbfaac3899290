import { notFound, type OperationName } from '@cds/contracts';
import { withErrorPage } from '../foundation/error-page.js';
import { type Form, readForm } from '../foundation/form.js';
import { need } from '../foundation/need.js';
import { page, seeOther } from '../foundation/page.js';
import { shownOf } from '../foundation/problems.js';
import { publicEndpoint, staleForm } from '../foundation/visitor.js';
import type { Answer, Endpoint, Forms, Limit, PageRequest, Route, Visitor } from '../port.js';
import { ANSWER_FIELDS, type Beside, creatorModel, type Typed } from './creator-model.js';
import { FIGURE_NAMES } from './post-model.js';
import { countOf } from './typed-count.js';

type CreatorVisit = Visitor & { request: PageRequest; link: string; forms: Forms };

const visitTo = async (visitor: Visitor, request: PageRequest, link: string): Promise<CreatorVisit> => {
  const creator = await visitor.creator(link);
  if (creator === null) throw notFound('link');
  return { ...creator, request, link, forms: creator.formsOf(link) };
};

const proposalPage = async (visit: CreatorVisit, beside: Beside = {}, status = 200): Promise<Answer> => {
  const shown = need(await visit.call('creator_proposal'));
  return page('creator', creatorModel(visit.link, shown, visit.forms.token, beside), { status });
};

const FORMS = [
  { act: 'accept', operation: 'creator_accept', fields: ['date'] },
  { act: 'decline', operation: 'creator_decline', fields: ['reason', 'note'] },
  { act: 'date', operation: 'creator_date', fields: ['date'] },
  { act: 'withdraw', operation: 'creator_withdraw', fields: ['reason', 'note'] },
  { act: 'post', operation: 'creator_post', fields: ['url', 'disclosure'] },
  { act: 'analytics', operation: 'creator_analytics', fields: FIGURE_NAMES },
  { act: 'pause', operation: 'creator_pause', fields: [] },
  { act: 'resume', operation: 'creator_resume', fields: [] },
] as const satisfies readonly { act: string; operation: OperationName; fields: readonly (keyof Typed)[] }[];

const FIGURES_SENT: ReadonlySet<string> = new Set(FIGURE_NAMES);

type AnswerForm = (typeof FORMS)[number];

/** A field that was left empty is not sent. */
const bodyOf = (typed: Typed): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(typed).flatMap(([name, text = '']) =>
      text === '' ? [] : [[name, FIGURES_SENT.has(name) ? countOf(text) : text]],
    ),
  );

/** Sends an answer; a refusal is shown on the page as it is now. */
const answer = async (visit: CreatorVisit, form: Form, { operation, fields }: AnswerForm): Promise<Answer> => {
  const key = visit.forms.keyOf(form.one('form_token'), visit.request.path);
  if (key === null) throw staleForm();
  const typed: Typed = Object.fromEntries(fields.map((name) => [name, form.one(name).trim()]));
  const done = await visit.call(operation, { body: bodyOf(typed), key });
  if (done.ok) return seeOther(`/creator/${visit.link}`, { secretUrl: true });
  const beside = { shown: shownOf(done.error, ANSWER_FIELDS), typed };
  return { ...(await proposalPage(visit, beside, done.status)), code: done.error.code };
};

const endpoint = (handle: (visit: CreatorVisit) => Promise<Answer>, limit: Limit): Endpoint =>
  publicEndpoint((visitor, request, { token: link = '' }) => {
    const around = limit === 'write' ? { back: `/creator/${link}` } : {};
    return withErrorPage(request, around, async () => handle(await visitTo(visitor, request, link)));
  }, limit);

/**
 * A form's token is made from the link's token and its path, so no cookie is needed
 * (docs/domain/pages.md#creator-links).
 */
export const creatorRoutes: readonly Route[] = [
  { path: '/creator/{token}', method: 'GET', target: endpoint((visit) => proposalPage(visit), 'read') },
  ...FORMS.map((form) => ({
    path: `/creator/{token}/${form.act}`,
    method: 'POST',
    target: endpoint(async (visit) => answer(visit, await readForm(visit.request), form), 'write'),
  })),
];
