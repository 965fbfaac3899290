// What other modules may use of operating; they import nothing else of it.

export { Readiness } from './readiness.js';
