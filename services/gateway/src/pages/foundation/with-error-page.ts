import { AppError } from '@cds/contracts';
import { publicError } from '@cds/service';
import type { Edge } from '../../edge/edge.js';
import { type Answer, headersOf } from '../../edge/http/answer.js';
import type { Exchange } from '../../edge/http/exchange.js';
import { errorPage } from './error-page.js';

/** Answers, or shows the refusal as a page. `back` leads to a page of our own. */
export const withErrorPage = async (
  edge: Edge,
  exchange: Exchange,
  { back }: { back?: string },
  answer: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await answer();
  } catch (error) {
    const { body, status } = publicError(error, edge.log, exchange.route);
    const headers = error instanceof AppError ? headersOf(error) : {};
    // A page never asks a browser for a password.
    const { 'WWW-Authenticate': _challenge, ...rest } = headers;
    return errorPage(body, status, rest, {
      ...(back === undefined ? {} : { back, backLabel: 'Open the page again' }),
      requestId: exchange.requestId,
      secretUrl: true,
    });
  }
};
