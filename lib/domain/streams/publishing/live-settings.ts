import type { SystemContext } from '@/lib/domain/context';
import type { Profile, RecordingSpec } from '@/lib/contract/streams/profile';
import type { Stream } from '@/lib/generated/prisma/client';
import { dvrSecondsOf } from '@/lib/core/streams/dvr';
import { readQuotas, storageRefusal } from '@/lib/domain/quotas';
import { profilesOf } from '@/lib/domain/streams/serialize';

/** How a live stream outlives its encoder. */
export interface ProgramSettings {
  /** A second encoder may stand by. */
  readonly backup: boolean;
  /** Time when the backup key last stopped working, in Unix milliseconds; 0: never. */
  readonly backupKeyEndedAt?: number;
  /** A still picture takes the place of an encoder that is away. */
  readonly slate: boolean;
  /** How long at most, while no encoder is connected. */
  readonly slateSeconds: number;
  /** Whether recordings contain the slate. */
  readonly recordSlate: boolean;
  /** An open connection that sends nothing for this long counts as away, ms. */
  readonly fallbackAfterMs: number;
  readonly title: string;
  /** Storage key of the team's own picture. */
  readonly slatePicture: string | null;
}

export const noProgram: ProgramSettings = {
  backup: false,
  slate: false,
  slateSeconds: 0,
  recordSlate: false,
  fallbackAfterMs: 3_000,
  title: '',
  slatePicture: null,
};

/**
 * What a publish does besides being packaged; its targets are read with their addresses
 * (lib/domain/multistream/open-targets.ts).
 */
export interface LiveSettings {
  /** Counts up with every change. */
  readonly version: number;
  readonly profiles: readonly Profile[];
  /** Renditions that the quota of the team allows; absent: all. */
  readonly maxRenditions?: number;
  /** Fixed for the session: changing it on the stream affects new sessions only. */
  readonly record: boolean;
  /** The renditions recorded besides the source, by name; absent: all (`recordingSpec`). */
  readonly recordedRenditions?: readonly string[];
  /** Why a session is not recorded although the stream was to be. */
  readonly recordRefused?: string;
  /** A session that is not recorded stores its segments, so that viewers can go back in it. Absent: no. */
  readonly dvr?: boolean;
  /** Why it does not although the stream asks for it. */
  readonly dvrRefused?: string;
  /** Program while the encoder is away. Absent: as `noProgram`. */
  readonly program?: ProgramSettings;
  /** `record` of the next session, if it was changed on the stream. */
  readonly recordNext?: boolean;
}

/** The settings that a running publish follows, as they are now. */
export async function readLiveSettings(
  ctx: SystemContext,
  { streamId, sessionId }: { readonly streamId: string; readonly sessionId: string },
): Promise<LiveSettings> {
  // Read the version first, so that a concurrent change is read twice rather than never.
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
    },
  });
  const session = await ctx.db.session.findUniqueOrThrow({
    where: { id: sessionId },
    select: { record: true, recordingSpec: true, recordingError: true },
  });
  const { renditions } = await readQuotas(ctx, stream.teamId);
  return {
    version: stream.settingsVersion,
    profiles: profilesOf(stream),
    ...(renditions === null ? {} : { maxRenditions: renditions }),
    record: session.record,
    ...recordingSettings(session.recordingSpec),
    ...recordingChange(stream.record, session),
    ...(await dvrSettings(ctx, stream, session)),
    program: programSettings(stream, ctx.settings.sessionReconnectSeconds),
  };
}

/** The standby of before may not go on: the backup key was changed or switched off meanwhile. */
export const endsStandby = (before: ProgramSettings, after: ProgramSettings): boolean =>
  (before.backup && !after.backup) || (before.backupKeyEndedAt ?? 0) < (after.backupKeyEndedAt ?? 0);

type ProgramColumn =
  | 'name'
  | 'backup'
  | 'backupKeyRotatedAt'
  | 'slate'
  | 'slateSeconds'
  | 'slatePictureKey'
  | 'recordSlate'
  | 'fallbackAfterMs';

/** @param windowSeconds how long an encoder may take to reconnect */
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

/** DVR uses the segments of the recording if the session is recorded. */
async function dvrSettings(
  ctx: SystemContext,
  { teamId, dvrSeconds }: { readonly teamId: string; readonly dvrSeconds: number | null },
  { record }: { readonly record: boolean },
): Promise<Pick<LiveSettings, 'dvr' | 'dvrRefused'>> {
  if (record || dvrSecondsOf({ record, dvrSeconds }) === 0) return {};
  const refusal = await storageRefusal(ctx, teamId);
  if (!refusal) return { dvr: true };
  return { dvrRefused: `Viewers cannot go back (dvrSeconds). ${refusal.message}` };
}

function recordingChange(
  record: boolean,
  session: { readonly record: boolean; readonly recordingError: string | null },
): Pick<LiveSettings, 'recordRefused' | 'recordNext'> {
  if (record === session.record) return {};
  const { recordingError } = session;
  return record && recordingError !== null ? { recordRefused: recordingError } : { recordNext: record };
}

/** Checked when it was written. */
function recordingSettings(spec: unknown): Pick<LiveSettings, 'recordedRenditions'> {
  const profiles = (spec as RecordingSpec | null)?.profiles;
  return profiles ? { recordedRenditions: profiles.map(({ name }) => name) } : {};
}

/** Ingest node of a stream; `url` is null when its row names no node. */
export interface LocatedLive {
  readonly url: string | null;
}

/** The internal address of the node with the live publish of this playback id; null if it can't be played. */
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
