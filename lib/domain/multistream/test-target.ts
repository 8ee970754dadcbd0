import { type AuditFact, recordAudit } from '@/lib/domain/audit';
import type { TeamContext } from '@/lib/domain/context';
import type { TargetTest } from '@/lib/contract/targets/target-test';
import { AppError } from '@/lib/core/errors';
import { formatTargetMessage, type TargetTestFinding } from '@/lib/core/targets/target-finding';
import { parseTargetUrl } from '@/lib/core/targets/target-url';
import { requestTargetTest } from '@/lib/domain/nodes';
import { checkTargetUrl, requireTarget } from './internal';
import { reasonField } from '@/lib/core/reasons/reason';

/**
 * Connects to a saved target, starts a publish without sending media, and stores the result with the target.
 * @throws AppError `not_found`, `conflict` while a stream sends to it or another test runs, `unavailable`
 */
export async function testTarget(ctx: TeamContext, id: string): Promise<TargetTest> {
  const { teamId, urlSealed } = await requireTarget(ctx, id);
  const url = ctx.secrets.open({ kind: 'target-url', id, teamId }, urlSealed);
  const result = await runTest(ctx, url, { action: 'target.tested', objectId: id });
  await ctx.db.multistreamTarget.updateMany({
    // The URL may have been replaced during the test.
    where: { id, teamId, urlSealed },
    data: { testedAt: ctx.clock.now(), testOutcome: result.outcome, testMessage: result.message },
  });
  return result;
}

/**
 * Tests a URL that is not saved.
 * @throws AppError `invalid` (url), `conflict`, `unavailable`
 */
export async function testTargetUrl(ctx: TeamContext, url: string): Promise<TargetTest> {
  checkTargetUrl(ctx, url, 'url');
  return runTest(ctx, url, { action: 'account.target-url-tested', objectId: ctx.actor.teamId });
}

async function runTest(ctx: TeamContext, url: string, fact: AuditFact): Promise<TargetTest> {
  await checkNotSending(ctx, url);
  await recordAudit(ctx, fact);
  const destination = parseTargetUrl(url);
  const finding: TargetTestFinding =
    typeof destination === 'string'
      ? { outcome: 'url_invalid', detail: destination }
      : await requestTargetTest(ctx, { teamId: ctx.actor.teamId, url });
  const shownDestination = typeof destination === 'string' ? unknownDestination : destination;
  const message = formatTargetMessage(finding, shownDestination);
  return { outcome: finding.outcome, message, ...reasonField('reason', message) };
}

/** Placeholder for the message about a URL without a destination. */
const unknownDestination = { kind: 'rtmp', host: '', port: 0 } as const;

/** Maximum number of targets in use that are compared with the tested target. */
const MAX_TARGETS_IN_USE = 1_000;

/**
 * Rejects a test while a stream sends to the same URL, because the receiver would reject a second publisher or disconnect
 * the first one.
 * @throws AppError `conflict`
 */
async function checkNotSending(ctx: TeamContext, url: string): Promise<void> {
  const { teamId } = ctx.actor;
  const targetsInUse = await ctx.db.targetStatus.findMany({
    where: { state: { in: ['connecting', 'connected'] }, target: { teamId, deletedAt: null } },
    select: {
      state: true,
      targetId: true,
      stream: { select: { name: true } },
      target: { select: { urlSealed: true } },
    },
    take: MAX_TARGETS_IN_USE,
  });
  const sameTarget = targetsInUse.find(
    ({ targetId, target }) =>
      ctx.secrets.open({ kind: 'target-url', id: targetId, teamId }, target.urlSealed) === url,
  );
  if (!sameTarget) return;
  const state =
    sameTarget.state === 'connected' ? 'is sending to this target' : 'is connecting to this target';
  const name = JSON.stringify(sameTarget.stream.name.slice(0, 100));
  throw new AppError(
    'conflict',
    `the stream ${name} ${state} now: a test could interrupt it. Test again when the stream has ended`,
  );
}
