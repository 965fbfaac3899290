import type { ErrorBody } from '@cds/contracts';
import { type Answer, retryHeaders, statusOf, toldOf } from '../edge/http/answer.js';
import { page } from './page.js';

const TITLES: Readonly<Record<number, string>> = {
  400: 'This could not be read',
  403: 'This is not allowed here',
  404: 'There is nothing here',
  405: 'That is not possible here',
  409: 'This has moved on',
  422: 'That cannot be used',
  429: 'Too many requests',
  503: 'Not available for the moment',
};

/** An error as a page, in the words of the error itself. */
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
    ...toldOf(error),
  };
};
