import { notFound, type OperationName } from '@cds/contracts';
import type { Caller } from '../../edge/callers.js';
import { LIMIT_MS } from '../../edge/context.js';
import type { Edge } from '../../edge/edge.js';
import type { Endpoint } from '../../edge/endpoint.js';
import type { Answer } from '../../edge/http/answer.js';
import type { Exchange } from '../../edge/http/exchange.js';
import { publicEndpoint } from '../../edge/public-endpoint.js';
import type { Route } from '../../edge/routes.js';
import { asCreator, openLink } from '../../edge/steps/creator.js';
import { call, need, type Visit } from '../foundation/call.js';
import { type Form, readForm } from '../foundation/form.js';
import { FormTokens } from '../foundation/form-token.js';
import { page, seeOther } from '../foundation/page.js';
import { shownOf } from '../foundation/problems.js';
import { staleForm } from '../foundation/visitor.js';
import { withErrorPage } from '../foundation/with-error-page.js';
import { ANSWER_FIELDS, type Beside, creatorModel, type Typed } from './creator-model.js';
import { FIGURE_NAMES } from './post-model.js';
import { countOf } from './typed-count.js';

/** A creator who opened a link. */
type CreatorVisit = Visit & { token: string; tokens: FormTokens };

const visitTo = async (edge: Edge, exchange: Exchange, token: string, caller: Caller): Promise<CreatorVisit> => {
  const opened = await openLink(edge, exchange, token);
  if (opened === null) throw notFound('link');
  return { edge, exchange, caller: asCreator(caller, opened), token, tokens: new FormTokens(edge.opsToken) };
};

const proposalPage = async (visit: CreatorVisit, beside: Beside = {}, status = 200): Promise<Answer> => {
  const { token, tokens, caller } = visit;
  const shown = need(await call(visit, 'creator_proposal'));
  const formToken = (path: string): string => tokens.make(token, path, caller.networkNow);
  return page('creator', creatorModel(token, shown, formToken, beside), { status });
};

/** The forms by what they do, with the fields that each sends. */
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
  const { token, tokens, exchange, caller } = visit;
  const key = tokens.keyOf(form.one('form_token'), token, exchange.path, caller.networkNow);
  if (key === null) throw staleForm();
  const typed: Typed = Object.fromEntries(fields.map((name) => [name, form.one(name).trim()]));
  const done = await call(visit, operation, { body: bodyOf(typed), key });
  if (done.ok) return seeOther(`/creator/${token}`, { secretUrl: true });
  const beside = { shown: shownOf(done.error, ANSWER_FIELDS), typed };
  return { ...(await proposalPage(visit, beside, done.status)), code: done.error.code };
};

/**
 * The page of a creator's proposal and its forms (docs/domain/access.md#creator-links). A form carries a token that the
 * link's token and its path made, so that no cookie is needed.
 */
export const creatorRoutes = (edge: Edge): Route<Endpoint>[] => {
  const endpoint = (handle: (visit: CreatorVisit) => Promise<Answer>, isForm: boolean): Endpoint =>
    publicEndpoint(
      edge,
      (exchange, params, caller) => {
        const token = params['token'] ?? '';
        return withErrorPage(edge, exchange, isForm ? { back: `/creator/${token}` } : {}, async () =>
          handle(await visitTo(edge, exchange, token, caller)),
        );
      },
      isForm ? LIMIT_MS.write : LIMIT_MS.read,
    );
  return [
    { path: '/creator/{token}', method: 'GET', target: endpoint((visit) => proposalPage(visit), false) },
    ...FORMS.map((form) => ({
      path: `/creator/{token}/${form.act}`,
      method: 'POST',
      target: endpoint(async (visit) => answer(visit, await readForm(visit.exchange), form), true),
    })),
  ];
};
