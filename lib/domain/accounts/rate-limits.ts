import type { SystemContext } from '@/lib/domain/context';
import { deleteInBatches } from '@/lib/infra/db';

/** Clocks of nodes may differ by this. */
const clockSlackMs = 60_000;

/** Deletes counts of rate limits (lib/http/limits) that have started again. @returns how many */
export function expireRateLimits({ db, clock }: SystemContext): Promise<number> {
  const before = clock.now().getTime() - clockSlackMs;
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "RateLimit" where "key" in (
        select "key" from "RateLimit" where "expire" < ${before} limit ${limit})`,
  );
}
