import type { ErrorBody } from '@cds/contracts';
import { type Answer, outcomeOf, retryHeaders, statusOf } from '../edge/http/answer.js';
import { page } from './page.js';

const TITLES: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'This order has changed',
  422: 'Invalid value',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
};

/** An error as a page, with the error's own message. */
export const errorPage = (
  error: ErrorBody,
  status: number | undefined,
  headers: Record<string, string> = {},
  { back, requestId = '' }: { back?: string; requestId?: string } = {},
): Answer => {
  const final = statusOf(error, status);
  const title = TITLES[final] ?? 'Something went wrong on our side';
  return {
    ...page(
      'message',
      { title, message: error.message, back, requestId },
      { status: final, headers: { ...retryHeaders(error, final), ...headers } },
    ),
    ...outcomeOf(error),
  };
};
