import { describe, expect, test } from '@jest/globals';
import { errorAt, shownOf } from './problems.js';

const FIELDS = {
  name: { field: 'name', label: 'Name' },
  max_plan_cents: { field: 'max_plan', label: 'Most for one plan' },
};

const refusal = (problems: { field: string; message: string }[]) => ({
  code: 'unprocessable' as const,
  message: 'A value is missing or invalid: name.',
  details: { problems },
});

describe('the refusal of an operation on a form', () => {
  test('is shown at its field, as a sentence', () => {
    const shown = shownOf(refusal([{ field: 'max_plan_cents', message: 'must be at least 1' }]), FIELDS);
    expect(shown.notice).toBeNull();
    expect(errorAt(shown.problems, 'max_plan')).toBe('Must be at least 1.');
    expect(errorAt(shown.problems, 'name')).toBeUndefined();
  });

  test('is found below the name of the whole', () => {
    expect(shownOf(refusal([{ field: 'mandate.name.0', message: 'x' }]), FIELDS).problems).toHaveLength(1);
  });

  test('is also a notice when the form has no such field', () => {
    const shown = shownOf(
      refusal([
        { field: 'name', message: 'x' },
        { field: 'other', message: 'y' },
      ]),
      FIELDS,
    );
    expect(shown.problems).toHaveLength(1);
    expect(shown.notice).toContain('missing or invalid');
  });

  test('without problems is a notice', () => {
    expect(shownOf({ code: 'conflict', message: 'There are 50 active keys.' }, FIELDS)).toEqual({
      problems: [],
      notice: 'There are 50 active keys.',
    });
  });
});
