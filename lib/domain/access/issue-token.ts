import { DAY_MS, DAY_SECONDS } from '@/lib/core/units';
import { recordAudit } from '@/lib/domain/audit';
import { type TeamContext, type Context, type SystemContext, transact } from '@/lib/domain/context';
import type {
  PlaybackToken,
  createPlaybackToken as createEndpoint,
  revokePlaybackToken as revokeEndpoint,
} from '@/lib/contract/access/playback-token';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import { AppError, notFound } from '@/lib/core/errors';
import { deleteInBatches } from '@/lib/infra/db';
import { passwordMatches } from '@/lib/infra/hash-password';
import { notify } from '@/lib/infra/notifications';
import { type AccessRules, findAccessRules, MAX_REVOCATIONS } from './access-rules';
import {
  PlaybackTokens,
  type TokenSource,
  digestOf,
  digestOfJwt,
  createRandomDigest,
} from './playback-tokens';

/** Lifetime of a token for a password: a watch page may stay open for hours before its viewer starts the player. */
const PASSWORD_TOKEN_SECONDS = DAY_SECONDS;

/**
 * Issues a playback token for the team's stream, asset or recording.
 * @throws AppError `not_found`, including for objects of another team
 */
export async function createPlaybackToken(
  ctx: TeamContext,
  { id, expiresIn }: BodyOf<typeof createEndpoint> & { readonly id: string },
): Promise<PlaybackToken> {
  return issueToken(ctx, await requireOwnAccessRules(ctx, id), { by: 'owner' }, expiresIn);
}

/**
 * Issues a playback token to a viewer who knows the password.
 * @throws AppError `not_found`; `forbidden` for a wrong password; `bad_request` if the policy is not `password`
 */
export async function enterPlaybackPassword(
  ctx: Context,
  { id, password }: { readonly id: string; readonly password: string },
): Promise<PlaybackToken> {
  const rules = await findAccessRules(ctx, id);
  if (!rules) throw notFound(`No playback URL found for ${id.slice(0, 100)}`);
  if (rules.passwordHash === null) throw new AppError('bad_request', 'playback does not require a password');
  if (!(await passwordMatches(rules.passwordHash, password.normalize('NFKC')))) {
    throw new AppError('forbidden', { field: 'password', message: 'is wrong' });
  }
  return issueToken(ctx, rules, { by: 'password' }, PASSWORD_TOKEN_SECONDS);
}

/**
 * Revokes the token of one viewer and every token derived from it.
 * @throws AppError `not_found`, including for objects of another team; `conflict` above 10,000 revocations
 */
export async function revokePlaybackToken(
  ctx: TeamContext,
  { id, token }: BodyOf<typeof revokeEndpoint> & { readonly id: string },
): Promise<void> {
  const rules = await requireOwnAccessRules(ctx, id);
  const { teamId } = ctx.actor;
  // The text is a playback token of this service, a JWT of the owner, or an access key.
  const digestOfCredential = rules.policy.type === 'jwt' ? digestOfJwt(token) : digestOf(token);
  const encodedDigest = new PlaybackTokens(ctx).read(rules, token)?.digest ?? digestOfCredential;
  const digest = Buffer.from(encodedDigest, 'base64url');
  await transact(ctx, async (tx) => {
    const where = { playbackId_digest: { playbackId: id, digest } };
    if ((await tx.db.revokedPlayback.count({ where: { playbackId: id } })) >= MAX_REVOCATIONS) {
      throw new AppError('conflict', 'too many revoked tokens: change the playback policy to revoke all');
    }
    const data = { playbackId: id, digest, teamId, createdAt: ctx.clock.now() };
    await tx.db.revokedPlayback.upsert({ where, create: data, update: {} });
    await recordAudit(tx, { action: 'playback.token-revoked', objectId: rules.objectId });
    await notify(tx.db, 'playback_access', `playback ${id}`);
  });
}

function issueToken(
  ctx: Context,
  rules: AccessRules,
  source: TokenSource,
  lifetimeSeconds: number,
): PlaybackToken {
  // Unix seconds in the token, Unix milliseconds in the API.
  const expiresAt = Math.floor(ctx.clock.now().getTime() / 1_000) + lifetimeSeconds;
  const claims = { ...source, kind: 'entry', expiresAt, digest: createRandomDigest() } as const;
  return { token: new PlaybackTokens(ctx).issue(rules, claims), expiresAt: expiresAt * 1_000 };
}

/** @throws AppError `not_found`, including for objects of another team */
async function requireOwnAccessRules(ctx: TeamContext, id: string): Promise<AccessRules> {
  const rules = await findAccessRules(ctx, id);
  if (rules?.teamId !== ctx.actor.teamId) throw notFound();
  return rules;
}

/** Retention of revocations. After this time, the revoked token has expired, or the owner had time to replace the key. */
const REVOCATION_RETENTION_MS = 400 * DAY_MS;

/**
 * Deletes revocations older than 400 days.
 * @returns their number
 */
export function expireRevocations({ db, clock }: SystemContext): Promise<number> {
  const cutoff = new Date(clock.now().getTime() - REVOCATION_RETENTION_MS);
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "RevokedPlayback" where ("playbackId", "digest") in (
        select "playbackId", "digest" from "RevokedPlayback" where "createdAt" < ${cutoff} limit ${limit})`,
  );
}
