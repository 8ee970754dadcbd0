import type { SystemContext } from '@/lib/context';
import type { Profile, RecordingSpec } from '@/lib/contract/streams/profile';
import { readQuotas } from '@/lib/quotas';
import { profilesOf } from '@/lib/streams/serialize';

/**
 * What a publish does besides being packaged; its targets are read with their addresses
 * (lib/multistream/open-targets.ts).
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
    select: { teamId: true, settingsVersion: true, profiles: true, record: true },
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
  };
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

/** Where a stream is published to; `url` is null when its row names no node. */
export interface LocatedLive {
  readonly url: string | null;
}

/** The internal address of the node with the live publish of this playback id; null if it can't be played. */
export async function locateLive(ctx: SystemContext, playbackId: string): Promise<LocatedLive | null> {
  const stream = await ctx.db.stream.findFirst({
    where: { playbackId, deletedAt: null, suspended: false, parentId: null, team: { suspended: false } },
    select: { liveNode: { select: { url: true } } },
  });
  return stream && { url: stream.liveNode?.url ?? null };
}
