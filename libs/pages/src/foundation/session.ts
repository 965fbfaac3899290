import type { Me } from '@cds/contracts';
import { ROLE_WORDS } from '../developers/words.js';
import type { Answer, Endpoint, PageRequest, Person } from '../port.js';
import { withErrorPage } from './error-page.js';
import { type Form, readForm } from './form.js';
import { need } from './need.js';
import { type Frame, seeOther } from './page.js';
import { returnHere } from './return-cookie.js';
import { navOf, type Section } from './shell.js';
import { staleForm } from './visitor.js';

export type SessionVisit = Person & {
  request: PageRequest;
  params: Record<string, string>;
  me: Me;
  token: (path: string) => string;
  frame: (title: string, section?: Section) => Frame;
};

export const SIGN_OUT_PATH = '/sign-out';
export const SIGN_OUT_EVERYWHERE_PATH = '/sign-out/everywhere';
export const SWITCH_PATH = '/developers/workspace';

const frameOf = (me: Me, token: (path: string) => string, title: string, section: Section | null): Frame => ({
  title: `${title} · ${me.workspace.name}`,
  scripts: true,
  width: 'wide',
  shell: {
    workspace: me.workspace.name,
    workspaces: me.workspaces.map(({ id, name, kind }) => ({ id, name, kind, current: id === me.workspace.id })),
    person: {
      email: me.person.email,
      short: me.person.email.split('@')[0] ?? '',
      role: ROLE_WORDS[me.role]?.label ?? me.role,
    },
    nav: navOf(section),
    switchToken: token(SWITCH_PATH),
    signOutToken: token(SIGN_OUT_PATH),
  },
});

const visitOf = async (request: PageRequest, params: Record<string, string>, person: Person): Promise<SessionVisit> => {
  const { token } = person.forms;
  const me = need(await person.call('me_get'));
  return {
    ...person,
    request,
    params,
    me,
    token,
    frame: (title, section) => frameOf(me, token, title, section ?? null),
  };
};

/** The page of somebody who is signed in, at a path where everybody else gets another page. */
export const sessionPageOr = (
  answer: (visit: SessionVisit) => Promise<Answer>,
  otherwise: Endpoint['answer'],
): Endpoint => ({
  limit: 'read',
  answer: (request, params) =>
    withErrorPage(request, { back: '/developers' }, async () => {
      const person = await request.session('read');
      return person === null ? otherwise(request, params) : answer(await visitOf(request, params, person));
    }),
});

/** The page of somebody who is signed in; everybody else is led to sign-in, and back here after it. */
export const sessionPage = (answer: (visit: SessionVisit) => Promise<Answer>): Endpoint =>
  sessionPageOr(answer, async (request) => {
    returnHere(request);
    return seeOther('/sign-in');
  });

/** What a form of somebody who is signed in does; `key` is the Idempotency-Key of its token. */
export const sessionForm = (handle: (visit: SessionVisit, form: Form, key: string) => Promise<Answer>): Endpoint => ({
  limit: 'write',
  answer: (request, params) =>
    withErrorPage(request, { back: '/developers' }, async () => {
      const person = await request.session('write');
      if (person === null) return seeOther('/sign-in');
      const form = await readForm(request);
      const key = person.forms.keyOf(form.one('form_token'), request.path);
      if (key === null) throw staleForm();
      return handle(await visitOf(request, params, person), form, key);
    }),
});
