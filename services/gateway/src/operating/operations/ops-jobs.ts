import type { Output, ServiceName } from '@cds/contracts';
import type { Client, Jobs, ReadHandler } from '@cds/service';
import { askEach, servicesOr } from '../event-admins.js';

type OtherService = Exclude<ServiceName, 'gateway'>;

export type JobsDeps = { jobs: Pick<Jobs, 'report'>; jobReports: Client<`${OtherService}_jobs`> };

/** Sweeps and leases of all services, or of one; silent ones are named. Source: docs/domain/operators.md#jobs. */
export const opsJobs: ReadHandler<'ops_jobs', JobsDeps> = async (ctx, input, { jobs, jobReports }) => {
  const { answers, unavailable } = await askEach(
    servicesOr(input.service),
    (service): Promise<Output<'billing_jobs'>> =>
      service === 'gateway' ? jobs.report() : jobReports[`${service}_jobs`](ctx, {}),
  );

  return {
    jobs: answers.flatMap((answer) => answer.jobs),
    leases: answers.flatMap((answer) => answer.leases),
    unavailable,
  };
};
