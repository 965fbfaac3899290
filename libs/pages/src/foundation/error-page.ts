import type { Answer, PageRequest, Refusal } from '../port.js';
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

type Around = { back?: string; backLabel?: string; requestId?: string };

/** An error as a page, with the error's own message. Its URL may hold a token. */
export const errorPage = (
  { error, status, headers }: Refusal,
  { back, backLabel, requestId = '' }: Around = {},
): Answer => ({
  ...page(
    'message',
    {
      title: TITLES[status] ?? 'Something went wrong on our side',
      message: error.message,
      back,
      backLabel,
      requestId,
      secretUrl: true,
    },
    { status, headers },
  ),
  error,
});

/** Answers, or shows the refusal as a page. `back` leads to a page of our own. */
export const withErrorPage = async (
  request: PageRequest,
  { back }: { back?: string },
  answer: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await answer();
  } catch (error) {
    return errorPage(request.refusal(error), {
      ...(back === undefined ? {} : { back, backLabel: 'Open the page again' }),
      requestId: request.requestId,
    });
  }
};
