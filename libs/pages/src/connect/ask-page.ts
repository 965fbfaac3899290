import { hasRole, type Me } from '@cds/contracts';
import { currentTerms } from '../developers/keys-page.js';
import { ROLE_WORDS } from '../developers/words.js';
import type { Form } from '../foundation/form.js';
import { need } from '../foundation/need.js';
import { page, seeOther } from '../foundation/page.js';
import { returnHere } from '../foundation/return-cookie.js';
import { type SessionVisit, sessionForm, sessionPageOr } from '../foundation/session.js';
import { type PublicVisit, publicForm, publicPage } from '../foundation/visitor.js';
import { emailField } from '../people/sign-in-pages.js';
import { type Answer, type Asked, CONNECT, type Route } from '../port.js';
import { askerOf, isChoice, keyChoices } from './ask-model.js';

export const askedOf = ({ request, params }: Pick<SessionVisit, 'request' | 'params'>): Promise<Asked> =>
  request.asked(params['uid'] ?? '');

export const pathOf = ({ uid }: Asked, step = ''): `/${string}` => `${CONNECT.ask}/${uid}${step}` as `/${string}`;

/** What every page of a sign-in has around it. Its address opens nothing without the browser's cookie. */
export const frameOf = (asked: Asked) => ({
  title: `Connect ${asked.name}`,
  scripts: true,
  secretUrl: true,
  asker: askerOf(asked),
  back: pathOf(asked),
});

/** The roles that may make keys (docs/domain/access.md#roles). */
const mayMakeKeys = ({ role }: Me): boolean => hasRole(role, 'admin');

const workspacesOf = (visit: SessionVisit, asked: Asked) => ({
  current: visit.me.workspace.name,
  others: visit.me.workspaces.filter(({ id }) => id !== visit.me.workspace.id),
  action: pathOf(asked, '/workspace'),
  token: visit.token(pathOf(asked, '/workspace')),
});

const decisionPage = async (visit: SessionVisit, error?: string): Promise<Answer> => {
  const asked = await askedOf(visit);
  const may = mayMakeKeys(visit.me);
  const [keys, terms] = may
    ? await Promise.all([visit.call('keys_list').then((listed) => need(listed).keys), currentTerms(visit)])
    : [[], null];
  const chosen = visit.request.query('key');
  return page(
    'connect/decide',
    {
      ...frameOf(asked),
      workspaces: workspacesOf(visit, asked),
      role: may ? null : (ROLE_WORDS[visit.me.role]?.label ?? visit.me.role),
      email: visit.me.person.email,
      keys: keys.some((key) => isChoice(key, visit.now)) ? keyChoices(keys, chosen, terms, visit.now, error) : null,
      action: pathOf(asked),
      token: visit.token(pathOf(asked)),
      newKey: pathOf(asked, '/key'),
      refuse: { action: pathOf(asked, '/refuse'), token: visit.token(pathOf(asked, '/refuse')) },
    },
    error === undefined ? {} : { status: 422 },
  );
};

/** A browser withholds the session when another site led here, so it first asks to continue from our own page. */
const visitorPage = async (visit: PublicVisit): Promise<Answer> => {
  const asked = await askedOf(visit);
  const [site] = visit.request.header('sec-fetch-site');
  const cameByItself = site === undefined || site === 'none' || site === 'same-origin';
  returnHere(visit.request);
  return page('connect/sign-in', {
    ...frameOf(asked),
    onwardTo: cameByItself ? null : pathOf(asked),
    token: visit.token('/sign-in'),
    email: emailField('', []),
    refuse: { action: pathOf(asked, '/leave'), token: visit.token(pathOf(asked, '/leave')) },
  });
};

/** The last page: the browser continues to the client by itself. A form may not lead there, but a page of ours may. */
const donePage = (asked: Asked, allowed: boolean): Answer =>
  page('connect/done', { ...frameOf(asked), onward: `${CONNECT.authorize}/${asked.uid}`, allowed });

const allowed = async (visit: SessionVisit, form: Form): Promise<Answer> => {
  const asked = await askedOf(visit);
  if (!mayMakeKeys(visit.me)) return decisionPage(visit);
  const { keys } = need(await visit.call('keys_list'));
  const key = keys.find(({ id }) => id === form.one('key'));
  if (key === undefined || !isChoice(key, visit.now)) return decisionPage(visit, 'Choose one of these keys.');
  await visit.allow(asked, key);
  return donePage(asked, true);
};

const refused = async (visit: SessionVisit | PublicVisit): Promise<Answer> => {
  const asked = await askedOf(visit);
  await visit.request.refuse(asked);
  return donePage(asked, false);
};

/** The pages on which a person lets a client act as a key (docs/domain/sign-in.md#mcp-sign-in). */
export const askRoutes: readonly Route[] = [
  {
    path: `${CONNECT.ask}/{uid}`,
    method: 'GET',
    target: sessionPageOr((visit) => decisionPage(visit), publicPage(visitorPage).answer),
  },
  { path: `${CONNECT.ask}/{uid}`, method: 'POST', target: sessionForm(allowed) },
  { path: `${CONNECT.ask}/{uid}/refuse`, method: 'POST', target: sessionForm(refused) },
  { path: `${CONNECT.ask}/{uid}/leave`, method: 'POST', target: publicForm(refused) },
  {
    path: `${CONNECT.ask}/{uid}/workspace`,
    method: 'POST',
    target: sessionForm(async (visit, form, key) => {
      const asked = await askedOf(visit);
      need(await visit.call('session_workspace_set', { body: { workspace: form.one('workspace') }, key }));
      return seeOther(pathOf(asked));
    }),
  },
];
