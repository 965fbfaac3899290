import { z } from 'zod';
import { closed, emailInput } from '../input.js';
import { nameInput } from '../names.js';
import { defineOperations } from '../operation.js';
import { publicUrlInput } from '../outside-text/public-url.js';
import { visitorOperation } from './sessions.js';

const websiteInput = () =>
  publicUrlInput({
    max: 200,
    schemes: ['https', 'http'],
    accepts: 'must be the URL of a website, such as https://example.com',
  }).overwrite((text) => (URL.canParse(text) ? new URL(text).href : text));

export const signUpOperations = defineOperations('gateway', {
  sign_up: {
    ...visitorOperation,
    rest: { method: 'POST', path: '/api/signup', root: 'app' },
    summary: 'Signs up a company, which the team then approves or declines. The answer is the same for every address.',
    body: closed({
      company: nameInput({ max: 120 }),
      website: websiteInput(),
      name: nameInput({ max: 120 }),
      email: emailInput(),
    }),
    output: z.object({ status: z.literal('pending') }),
    success: 202,
  },
});
