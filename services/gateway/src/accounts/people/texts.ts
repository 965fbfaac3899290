import type { WebhookCause } from '@cds/contracts';
import type { Message } from './store/messages.js';
import { LINK_MS } from './store/sign-in-links.js';

// What people are sent. A text names no amount, no creator and no secret: the link follows it, and is sealed.

/** A link to sign in with; `blank` for an address that nobody signs in with. */
export const signInMessage = (
  to: string,
  link: string,
  { blank, at, kind = 'sign_in' }: { blank: boolean; at: Date; kind?: 'sign_in' | 'ops_sign_in' },
): Message => ({
  kind,
  to,
  subject: 'Your sign-in link',
  text: 'Open this link to sign in. It works once, for 15 minutes. If you did not ask for it, ignore this message.',
  link,
  blank,
  dropAt: new Date(at.getTime() + LINK_MS),
});

const signInPage = (appUrl: string): string => `${appUrl}/sign-in`;

export const invitation = (appUrl: string, company: string, to: string): Message => ({
  kind: 'invitation',
  to,
  subject: `${company} invites you`,
  text: `You are invited to the workspace of ${company}. Sign in with this address to accept.`,
  link: signInPage(appUrl),
});

/** The receipt of a sign-up. Nobody has proved the address, so it carries nothing that was typed. */
export const signedUp = (to: string): Message => ({
  kind: 'signed_up',
  to,
  subject: 'We have received your sign-up',
  text: 'Thank you for signing up your company. Our team looks at it and writes to you. If it was not you, ignore this message.',
});

/** What an address that signs up again is sent, so that the answer to the sign-up may be the same. */
export const knownAddress = (appUrl: string, to: string): Message => ({
  kind: 'known_address',
  to,
  subject: 'You have an account already',
  text: 'Somebody signed up with this address, which has an account already. Sign in instead. If it was not you, ignore this message.',
  link: signInPage(appUrl),
});

export const approved = (appUrl: string, company: string, to: string): Message => ({
  kind: 'approved',
  to,
  subject: `${company} is approved`,
  text: `${company} is approved. Sign in with this address to make keys and to connect an agent.`,
  link: signInPage(appUrl),
});

/** The end of a sign-up. As the receipt, it carries nothing that was typed. */
export const declined = (to: string): Message => ({
  kind: 'declined',
  to,
  subject: 'About your sign-up',
  text: 'We cannot take on your company at this time.',
});

export const teamInvitation = (to: string, link: string, at: Date): Message => ({
  kind: 'ops_sign_in',
  to,
  subject: "You are invited to the operator's team",
  text: "You are invited to the operator's team. Open this link to sign in. It works once, for 15 minutes; after that, ask for another with this address.",
  link,
  dropAt: new Date(at.getTime() + LINK_MS),
});

const DAY_MS = 86_400_000;
const NEWS_MS = 30 * DAY_MS;

const signInNews = (to: string, where: string, at: Date, otherwise: string): Message => ({
  kind: 'signed_in',
  to,
  subject: 'New sign-in',
  text: `Somebody signed in with this address on ${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC, ${where}. If it was you, there is nothing to do. If it was not, somebody can read your mail: change its password first. ${otherwise}`,
  dropAt: new Date(at.getTime() + NEWS_MS),
});

/** What a person of a brand is sent when a session of theirs begins: a stranger's would otherwise go unnoticed. */
export const signedIn = (appUrl: string, to: string, where: string, at: Date): Message =>
  signInNews(
    to,
    where,
    at,
    `Then sign in at ${signInPage(appUrl)} and choose “Sign out everywhere” under your address: it ends every session, and your clients if you tick the box.`,
  );

/** The same for the operator's team, whose sessions a removal ends. */
export const operatorSignedIn = (to: string, where: string, at: Date): Message =>
  signInNews(
    to,
    where,
    at,
    'Then ask a lead to remove you from the team and to add you again, which ends every session.',
  );

const CAUSES: Readonly<Record<WebhookCause, string>> = {
  gone: 'It answered 410 Gone.',
  failing: 'An event was tried for three days without success.',
};

/** What the admins of a brand are sent when one of its webhook endpoints is disabled. */
export const webhookDisabled = (
  appUrl: string,
  { id, url, because, sandbox }: { id: string; url: string; because: WebhookCause; sandbox: boolean },
  to: string,
): Message => ({
  kind: 'webhook_disabled',
  to,
  subject: 'A webhook endpoint is disabled',
  text: `The webhook endpoint at ${new URL(url).host} is disabled. ${CAUSES[because]} No event is lost: once you enable it again, it goes on where it stopped.`,
  link: `${appUrl}/developers/webhooks/${id}`,
  sandbox,
});
