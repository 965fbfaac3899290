/** The start of the next minute: a window that a test sets to it does not refill while the test runs. */
export const nextMinute = (): Date => new Date((Math.floor(Date.now() / 60_000) + 1) * 60_000);
