import type { Context } from '@/lib/domain/context';
import { Prisma } from '@/lib/generated/prisma/client';

/**
 * Sets `suspended` and `deletedAt` of the teams that an account owns. To be called after the account was suspended,
 * unsuspended or deleted: a team is suspended while all its owners are suspended, and deleted with its last owner.
 * Notifies the origins about every team of the account, so that its playback and previews end immediately. The data
 * of a deleted team is deleted later, by `expireDeletedTeams`.
 */
export async function updateStatusOfOwnedTeams({ db, clock }: Context, userId: string): Promise<void> {
  const ownerWith = (condition: Prisma.Sql) => Prisma.sql`exists (
    select 1 from "TeamMember" m join "Account" a on a."id" = m."userId"
    where m."teamId" = t."id" and m."role" = 'owner' and ${condition})`;
  await db.$executeRaw`
    update "Team" t set
      "suspended" = t."deletedAt" is not null or not ${ownerWith(Prisma.sql`not a."suspended"`)},
      "deletedAt" = case
        when t."deletedAt" is null and not ${ownerWith(Prisma.sql`a."deletedAt" is null`)} then ${clock.now()}
        else t."deletedAt" end
    where t."id" in (select "teamId" from "TeamMember" where "userId" = ${userId}::uuid and "role" = 'owner')`;
  await db.$executeRaw`
    select pg_notify('playback_access', 'team ' || "teamId") from "TeamMember" where "userId" = ${userId}::uuid`;
}
