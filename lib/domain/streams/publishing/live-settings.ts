import type { SystemContext } from '@/lib/domain/context';
import type { Profile, RecordingSpec } from '@/lib/contract/streams/profile';
import type { Stream } from '@/lib/generated/prisma/client';
import { sourceProfile } from '@/lib/core/renditions/profile-rules';
import { dvrSecondsOf } from '@/lib/core/streams/dvr';
import { readQuotas, findStorageRejection } from '@/lib/domain/quotas';
import { profilesOf } from '@/lib/domain/streams/serialize';

/** Behaviour of a live stream without its encoder. */
export interface ProgramSettings {
  /** Whether a standby encoder is accepted. */
  readonly backup: boolean;
  /** Time when the backup key last stopped working, in Unix milliseconds; 0 for never. */
  readonly backupKeyEndedAt?: number;
  /** Whether the slate is shown while the encoder is away. */
  readonly slate: boolean;
  /** Maximum duration of the slate without a connected encoder, in seconds. */
  readonly slateSeconds: number;
  /** Whether recordings contain the slate. */
  readonly recordSlate: boolean;
  /** Silence of an open connection, in milliseconds, after which its encoder counts as away. */
  readonly fallbackAfterMs: number;
  readonly title: string;
  /** Storage key of the team's own slate picture. */
  readonly slatePicture: string | null;
}

/** Settings of a stream that ends when its encoder is lost: no standby encoder and no slate. */
export const noProgram: ProgramSettings = {
  backup: false,
  slate: false,
  slateSeconds: 0,
  recordSlate: false,
  fallbackAfterMs: 3_000,
  title: '',
  slatePicture: null,
};

/** Settings of a publish. Targets are not included; lib/domain/multistream/open-targets.ts reads them with their URLs. */
export interface LiveSettings {
  /** Incremented with every change. */
  readonly version: number;
  readonly profiles: readonly Profile[];
  /** Names of the profiles whose renditions are sent to multistream targets; absent for none. */
  readonly targetProfiles?: readonly string[];
  /** Maximum number of renditions by the quota of the team; absent for no limit. */
  readonly maxRenditions?: number;
  /** Whether the session is recorded. Changing it on the stream affects new sessions only. */
  readonly record: boolean;
  /** Names of the renditions recorded besides the source; absent for all (`recordingSpec`). */
  readonly recordedRenditions?: readonly string[];
  /** Reason why a session is not recorded although the stream requests it. */
  readonly recordRejected?: string;
  /** Whether an unrecorded session stores its segments for DVR; absent if not. */
  readonly dvr?: boolean;
  /** Reason why segments are not stored for DVR although the stream requests it. */
  readonly dvrRejected?: string;
  /** Behaviour while the encoder is away; absent for `noProgram`. */
  readonly program?: ProgramSettings;
  /** `record` for the next session, if it differs from this session. */
  readonly recordNext?: boolean;
}

/** Current settings of a running publish. */
export async function readLiveSettings(
  ctx: SystemContext,
  { streamId, sessionId }: { readonly streamId: string; readonly sessionId: string },
): Promise<LiveSettings> {
  // The version is read first, so that a concurrent change is read twice instead of never.
  const stream = await ctx.db.stream.findUniqueOrThrow({
    where: { id: streamId },
    select: {
      teamId: true,
      settingsVersion: true,
      profiles: true,
      record: true,
      dvrSeconds: true,
      name: true,
      backup: true,
      slate: true,
      slateSeconds: true,
      recordSlate: true,
      fallbackAfterMs: true,
      backupKeyRotatedAt: true,
      slatePictureKey: true,
      targets: { select: { profile: true }, where: { profile: { not: sourceProfile } } },
    },
  });
  const session = await ctx.db.session.findUniqueOrThrow({
    where: { id: sessionId },
    select: { record: true, recordingSpec: true, recordingError: true },
  });
  const { targets } = stream;
  const { renditions } = await readQuotas(ctx, stream.teamId);
  return {
    version: stream.settingsVersion,
    profiles: profilesOf(stream),
    ...(renditions === null ? {} : { maxRenditions: renditions }),
    ...(targets.length === 0 ? {} : { targetProfiles: targets.map(({ profile }) => profile) }),
    record: session.record,
    ...recordingSettings(session.recordingSpec),
    ...recordingChange(stream.record, session),
    ...(await readDvrSettings(ctx, stream, session)),
    program: programSettings(stream, ctx.settings.sessionReconnectSeconds),
  };
}

/** Whether a settings change ends the standby, because the backup key was changed or disabled. */
export const endsStandby = (previousSettings: ProgramSettings, newSettings: ProgramSettings): boolean =>
  (previousSettings.backup && !newSettings.backup) ||
  (previousSettings.backupKeyEndedAt ?? 0) < (newSettings.backupKeyEndedAt ?? 0);

type ProgramColumn =
  | 'name'
  | 'backup'
  | 'backupKeyRotatedAt'
  | 'slate'
  | 'slateSeconds'
  | 'slatePictureKey'
  | 'recordSlate'
  | 'fallbackAfterMs';

/** @param windowSeconds reconnect window in seconds, the default duration of the slate */
function programSettings(stream: Pick<Stream, ProgramColumn>, windowSeconds: number): ProgramSettings {
  const { name: title, backup, slate, recordSlate, fallbackAfterMs } = stream;
  const slateSeconds = stream.slateSeconds ?? windowSeconds;
  return {
    backup,
    slate,
    slateSeconds,
    recordSlate,
    fallbackAfterMs,
    title,
    backupKeyEndedAt: stream.backupKeyRotatedAt?.getTime() ?? 0,
    slatePicture: stream.slatePictureKey,
  };
}

/** DVR settings; empty for a recorded session, because DVR then uses the segments of the recording. */
async function readDvrSettings(
  ctx: SystemContext,
  { teamId, dvrSeconds }: { readonly teamId: string; readonly dvrSeconds: number | null },
  { record }: { readonly record: boolean },
): Promise<Pick<LiveSettings, 'dvr' | 'dvrRejected'>> {
  if (record || dvrSecondsOf({ record, dvrSeconds }) === 0) return {};
  const rejection = await findStorageRejection(ctx, teamId);
  if (!rejection) return { dvr: true };
  return { dvrRejected: `Viewers cannot go back (dvrSeconds). ${rejection.message}` };
}

/**
 * How the setting `record` of the stream differs from its session: the session is not recorded because of a quota, or the
 * setting was changed since the session started.
 */
function recordingChange(
  record: boolean,
  session: { readonly record: boolean; readonly recordingError: string | null },
): Pick<LiveSettings, 'recordRejected' | 'recordNext'> {
  if (record === session.record) return {};
  const { recordingError } = session;
  return record && recordingError !== null ? { recordRejected: recordingError } : { recordNext: record };
}

/** Names of the recorded renditions. The stored spec was validated when it was written. */
function recordingSettings(spec: unknown): Pick<LiveSettings, 'recordedRenditions'> {
  const profiles = (spec as RecordingSpec | null)?.profiles;
  return profiles ? { recordedRenditions: profiles.map(({ name }) => name) } : {};
}

/** Live node of a stream. `url` is null if no node has the stream. */
export interface LocatedLive {
  readonly url: string | null;
}

/** Finds the live node of a playback id, with its internal URL; null if the stream cannot be played. */
export async function locateLive(ctx: SystemContext, playbackId: string): Promise<LocatedLive | null> {
  const stream = await ctx.db.stream.findFirst({
    where: {
      OR: [{ playbackId }, { previewPlaybackId: playbackId }],
      deletedAt: null,
      suspended: false,
      parentId: null,
      team: { suspended: false },
    },
    select: { liveNode: { select: { url: true } } },
  });
  return stream && { url: stream.liveNode?.url ?? null };
}
