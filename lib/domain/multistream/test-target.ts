import { type AuditFact, recordAudit } from '@/lib/domain/audit';
import type { TeamContext } from '@/lib/domain/context';
import type { TargetTest } from '@/lib/contract/targets/target-test';
import { AppError } from '@/lib/core/errors';
import { targetMessage, type TargetTestFinding } from '@/lib/core/targets/target-test';
import { pushDestination } from '@/lib/core/targets/target-url';
import { requestTargetTest } from '@/lib/domain/nodes';
import { checkUrl, targetOf } from './internal';
import { reasonField } from '@/lib/core/reasons/reason';

/**
 * Connects to a saved target and starts a publish without sending media.
 * @throws AppError `not_found`, `conflict` while a stream sends to it or another test runs, `unavailable`
 */
export async function testTarget(ctx: TeamContext, id: string): Promise<TargetTest> {
  const { teamId, urlSealed } = await targetOf(ctx, id);
  const url = ctx.secrets.open({ kind: 'target-url', id, teamId }, urlSealed);
  return test(ctx, url, { action: 'target.tested', objectId: id });
}

/** Tests a URL that is not saved. @throws AppError `invalid` (url), `conflict`, `unavailable` */
export async function testTargetUrl(ctx: TeamContext, url: string): Promise<TargetTest> {
  checkUrl(ctx, url, 'url');
  return test(ctx, url, { action: 'account.target-url-tested', objectId: ctx.actor.teamId });
}

async function test(ctx: TeamContext, url: string, fact: AuditFact): Promise<TargetTest> {
  await refuseWhileSending(ctx, url);
  await recordAudit(ctx, fact);
  const destination = pushDestination(url);
  const finding: TargetTestFinding =
    typeof destination === 'string'
      ? { outcome: 'url_invalid', detail: destination }
      : await requestTargetTest(ctx, { teamId: ctx.actor.teamId, url });
  const about = typeof destination === 'string' ? unknownDestination : destination;
  const message = targetMessage(finding, about);
  return { outcome: finding.outcome, message, ...reasonField('reason', message) };
}

/** Placeholder for the message about a URL without a destination. */
const unknownDestination = { kind: 'rtmp', host: '', port: 0 } as const;

/** Maximum number of pushes compared with the tested target. */
const maxPushes = 1_000;

/**
 * Refuses a test while a stream sends to the same key: the service would reject a second publisher, or disconnect the
 * first one.
 */
async function refuseWhileSending(ctx: TeamContext, url: string): Promise<void> {
  const { teamId } = ctx.actor;
  const pushes = await ctx.db.targetStatus.findMany({
    where: { state: { in: ['connecting', 'connected'] }, target: { teamId, deletedAt: null } },
    select: {
      state: true,
      targetId: true,
      stream: { select: { name: true } },
      target: { select: { urlSealed: true } },
    },
    take: maxPushes,
  });
  const push = pushes.find(
    ({ targetId, target }) =>
      ctx.secrets.open({ kind: 'target-url', id: targetId, teamId }, target.urlSealed) === url,
  );
  if (!push) return;
  const state = push.state === 'connected' ? 'is sending to this target' : 'is connecting to this target';
  const name = JSON.stringify(push.stream.name.slice(0, 100));
  throw new AppError(
    'conflict',
    `the stream ${name} ${state} now: a test could interrupt it. Test again when the stream has ended`,
  );
}
