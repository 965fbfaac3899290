import { AppError, type ErrorCode } from '@cds/contracts';

/** An error of the edge that also sets headers, such as a challenge or Allow. */
export class EdgeRefusal extends AppError {
  constructor(
    code: ErrorCode,
    message: string,
    details: Record<string, unknown> | undefined,
    readonly headers: Record<string, string>,
  ) {
    super(code, message, details);
    this.name = 'EdgeRefusal';
  }
}
