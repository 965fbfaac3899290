import { describe, expect, test } from '@jest/globals';
import { formBrowser } from '../test/forms.js';
import { testEdge } from '../test/suite.js';

const COMPANY = { company: 'Acme Robotics', website: 'https://acme.example', name: 'Ada', email: 'ada@acme.example' };

describe('the sign-up page (docs/domain/sign-in.md#sign-up)', () => {
  const edge = testEdge('gateway_sign_up_pages');

  test('leads to the same page for a new address and a known one', async () => {
    for (const _time of [1, 2]) {
      const sent = await formBrowser(edge.url).submit('/signup', '/signup', COMPANY);
      expect([sent.status, sent.headers.get('location')]).toEqual([303, '/signup/sent']);
    }
    expect((await formBrowser(edge.url).get('/signup/sent')).text).toContain('We have your application');
  });

  test('keeps what was typed, and says at each field what is wrong', async () => {
    const typed = { ...COMPANY, company: '', website: 'not a website', name: '<Ada>' };
    const { status, text } = await formBrowser(edge.url).submit('/signup', '/signup', typed);
    expect(status).toBe(422);
    expect(text).toContain('value="&lt;Ada&gt;"');
    expect(text).toContain('value="not a website"');
    expect(text).toContain('id="company-error"');
    expect(text).toContain('id="website-error"');
    expect(text).not.toContain('id="email-error"');
  });
});
