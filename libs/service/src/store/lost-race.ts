/** A compare-and-set found another state than the one decided on: the shell loads and decides anew (reliability 3.6). */
export class LostRace extends Error {
  constructor(what: string) {
    super(`lost race on ${what}`);
    this.name = 'LostRace';
  }
}
