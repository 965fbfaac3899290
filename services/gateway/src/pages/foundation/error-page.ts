import type { ErrorBody } from '@cds/contracts';
import { type Answer, outcomeOf, retryHeaders, statusOf } from '../../edge/http/answer.js';
import { page } from './page.js';

const TITLES: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  401: 'Please sign in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'This has changed',
  422: 'Invalid value',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
};

/** What surrounds the message: a way back, the request's id, and whether the URL holds a token. */
type Around = { back?: string; backLabel?: string; requestId?: string; secretUrl?: boolean };

/** An error as a page, with the error's own message. */
export const errorPage = (
  error: ErrorBody,
  status: number | undefined,
  headers: Record<string, string> = {},
  { back, backLabel, requestId = '', secretUrl = true }: Around = {},
): Answer => {
  const final = statusOf(error, status);
  const title = TITLES[final] ?? 'Something went wrong on our side';
  return {
    ...page(
      'message',
      { title, message: error.message, back, backLabel, requestId, secretUrl },
      { status: final, headers: { ...retryHeaders(error, final), ...headers } },
    ),
    ...outcomeOf(error),
  };
};
