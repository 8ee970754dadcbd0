import type { Context } from '@/lib/domain/context';
import type { PlaybackPolicy, PublicPlaybackPolicy } from '@/lib/contract/access/playback-policy';
import type { Prisma } from '@/lib/generated/prisma/client';
import { isUuid } from '@/lib/infra/ids';
import { isRestricted } from '@/lib/core/access/playback-policy';
import type { TokenSubject } from './playback-tokens';
import { memberDigest } from './preview-tokens';
import { omitUndefined } from '@/lib/core/omit-undefined';

/** Playback policy of a stream, asset or recording, with all that an admission needs to apply it. */
export interface AccessRules extends TokenSubject {
  readonly kind: 'stream' | 'asset' | 'recording';
  /** Id of the row of the stream, asset or session. */
  readonly objectId: string;
  readonly policy: PlaybackPolicy;
  /** Whether the team collects viewer reports. */
  readonly acceptsViewerReports: boolean;
  readonly passwordHash: string | null;
  /** Signing keys of the owner; empty unless the policy is `jwt`. */
  readonly keys: readonly { readonly id: string; readonly publicKey: string; readonly disabled: boolean }[];
  /** Digests of the team members, who watch in the dashboard; empty if the policy restricts no viewers. */
  readonly memberDigests: ReadonlySet<string>;
  readonly revokedDigests: ReadonlySet<string>;
}

/** Maximum number of revocations per playback id, so that reading access rules stays fast. */
export const MAX_REVOCATIONS = 10_000;

const accessColumns = {
  id: true,
  teamId: true,
  playbackPolicy: true,
  playbackPasswordHash: true,
  playbackPolicyVersion: true,
  team: { select: { viewerReports: true } },
} as const;

interface AccessRow {
  readonly id: string;
  readonly teamId: string;
  readonly playbackPolicy: Prisma.JsonValue;
  readonly playbackPasswordHash: string | null;
  readonly playbackPolicyVersion: number;
  readonly team: { readonly viewerReports: boolean };
}

/** The policy of a row; `public` if the row has none. */
export function policyOf({ playbackPolicy }: Pick<AccessRow, 'playbackPolicy'>): PlaybackPolicy {
  return playbackPolicy === null ? { type: 'public' } : (playbackPolicy as unknown as PlaybackPolicy);
}

/** Public part of the playback policy of a row; absent without a policy. */
export function publicPolicyField(row: Pick<AccessRow, 'playbackPolicy'>): {
  readonly playbackPolicy?: PublicPlaybackPolicy;
} {
  return row.playbackPolicy === null ? {} : { playbackPolicy: publicPolicyOf(policyOf(row)) };
}

function publicPolicyOf(policy: PlaybackPolicy): PublicPlaybackPolicy {
  const { type, allowedOrigins, allowedCountries, blockedCountries, refreshInterval, webhookId } = policy;
  return {
    type,
    ...omitUndefined({ allowedOrigins }),
    ...omitUndefined({ allowedCountries }),
    ...omitUndefined({ blockedCountries }),
    ...omitUndefined({ refreshInterval }),
    ...omitUndefined({ webhookId }),
  };
}

/**
 * The access rules of a stream, asset or recording.
 * @param id playback id of a stream or an asset, or id of a session
 * @returns null if the object does not exist or is deleted, its team is suspended, it is a suspended stream, or it is a
 * session of a deleted stream
 */
export async function findAccessRules({ db }: Pick<Context, 'db'>, id: string): Promise<AccessRules | null> {
  const foundObject = await findAccessRow(db, id);
  if (!foundObject) return null;
  const { kind, row } = foundObject;
  const { teamId } = row;
  const policy = policyOf(row);
  const keys =
    policy.type === 'jwt' && row.playbackPolicy !== teamOnlyPolicy
      ? await db.signingKey.findMany({
          where: { teamId },
          select: { id: true, publicKey: true, disabled: true },
        })
      : [];
  const revokedDigests = await db.revokedPlayback.findMany({
    where: { playbackId: id },
    select: { digest: true },
    take: MAX_REVOCATIONS,
  });
  return {
    id,
    teamId,
    kind,
    policy,
    keys,
    memberDigests: isRestricted(policy) ? await readMemberDigests(db, teamId) : new Set(),
    objectId: row.id,
    // Only the team watches a preview, so its playback is not reported.
    acceptsViewerReports: row.team.viewerReports && row.playbackPolicy !== teamOnlyPolicy,
    version: row.playbackPolicyVersion,
    passwordHash: row.playbackPasswordHash,
    revokedDigests: new Set(revokedDigests.map(({ digest }) => Buffer.from(digest).toString('base64url'))),
  };
}

async function readMemberDigests(db: Context['db'], teamId: string): Promise<ReadonlySet<string>> {
  const members = await db.teamMember.findMany({
    where: { teamId, account: { suspended: false, deletedAt: null } },
    select: { userId: true },
  });
  return new Set(members.map(({ userId }) => memberDigest(userId)));
}

/**
 * Policy of a preview playback id, compared by identity. No signing keys are read for it, so no JWT is valid, only the
 * preview token of a team member.
 */
const teamOnlyPolicy = { type: 'jwt' } as const;

async function findAccessRow(
  db: Context['db'],
  id: string,
): Promise<{ readonly kind: AccessRules['kind']; readonly row: AccessRow } | null> {
  const team = { suspended: false };
  if (isUuid(id)) {
    const row = await db.session.findFirst({
      where: { id, recording: { not: 'deleted' }, parent: { deletedAt: null }, team },
      select: accessColumns,
    });
    return row && { kind: 'recording', row };
  }
  // Not the format of a playback id, so no query is needed.
  if (!/^[a-z0-9]{16}$/.test(id)) return null;
  const playbackId = id;
  const stream = await db.stream.findFirst({
    where: { playbackId, parentId: null, deletedAt: null, suspended: false, team },
    select: accessColumns,
  });
  if (stream) return { kind: 'stream', row: stream };
  const previewStream = await db.stream.findFirst({
    where: { previewPlaybackId: id, deletedAt: null, suspended: false, team },
    select: accessColumns,
  });
  if (previewStream) return { kind: 'stream', row: { ...previewStream, playbackPolicy: teamOnlyPolicy } };
  const asset = await db.asset.findFirst({
    where: { playbackId, deletedAt: null, team },
    select: accessColumns,
  });
  return asset && { kind: 'asset', row: asset };
}
