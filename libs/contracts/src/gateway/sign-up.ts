import { z } from 'zod';
import { closed, emailInput, saying } from '../input.js';
import { nameInput } from '../names.js';
import { defineOperations } from '../operation.js';
import { visitorOperation } from './sessions.js';

const WEBSITE_MAX = 200;

const websiteInput = () => {
  const error = saying('must be the URL of a website, such as https://example.com');
  return z
    .string({ error })
    .trim()
    .max(WEBSITE_MAX, { error })
    .refine(isWebsite, { error })
    .transform((text) => new URL(text).href);
};

const isWebsite = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return (
    ['http:', 'https:'].includes(protocol) && username === '' && password === '' && /^[a-z0-9.-]+\.[a-z]/.test(hostname)
  );
};

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
