import type { Context } from '@/lib/domain/context';
import type { Session as SessionObject } from '@/lib/contract/sessions/session';
import type { Profile, RecordingSpec } from '@/lib/contract/streams/profile';
import { type RecordingState, recordingStatusOf } from '@/lib/core/sessions/recording-state';
import type { SessionState } from '@/lib/core/sessions/session-state';
import { dvrSecondsOf } from '@/lib/core/streams/dvr';
import { reconnectingIssue } from '@/lib/core/streams/stream-doctor';
import type { Session, Stream } from '@/lib/generated/prisma/client';
import type { Settings } from '@/lib/infra/env';
import { isUuid } from '@/lib/infra/ids';
import { reasonField } from '@/lib/core/reasons/reason';

/** Playback URLs of a session's recording, with both spellings of the MP4 field. */
export function recordingUrls({ cdnUrl }: Pick<Settings, 'cdnUrl'>, sessionId: string) {
  const folder = `${cdnUrl}/recordings/${sessionId}`;
  const mp4 = `${folder}/source.mp4`;
  return { recordingUrl: `${folder}/index.m3u8`, mp4URL: mp4, mp4Url: mp4 };
}

/** A session with the columns of its stream that the API returns. */
type SessionRow = Session & { readonly parent: Pick<Stream, 'isActive' | 'issues'> };

/** Columns of the stream that a session object needs. */
export const sessionParent = { parent: { select: { isActive: true, issues: true } } } as const;

/** API representation of a session. */
export function serializeSession(row: SessionRow, settings: Pick<Settings, 'cdnUrl'>): SessionObject {
  return {
    id: row.id,
    kind: 'session',
    userId: row.teamId,
    name: row.name,
    parentId: row.parentId,
    playbackId: row.playbackId,
    createdAt: row.createdAt.getTime(),
    lastSeen: row.lastSeen?.getTime() ?? 0,
    // The child stream, which clients may read instead of the session, has the same value.
    isActive: row.state === 'live' && row.parent.isActive,
    state: stateOf(row),
    // Profiles were validated when the stream was written.
    profiles: row.profiles as unknown as Profile[],
    record: row.record,
    ...(row.recordingSpec === null ? {} : { recordingSpec: row.recordingSpec as unknown as RecordingSpec }),
    sourceSegments: row.sourceSegments,
    transcodedSegments: row.transcodedSegments,
    sourceSegmentsDuration: row.sourceSegmentsDuration,
    transcodedSegmentsDuration: row.transcodedSegmentsDuration,
    sourceBytes: Number(row.sourceBytes),
    transcodedBytes: Number(row.transcodedBytes),
    ...(row.record ? recordingOf(row, settings) : {}),
  };
}

/**
 * State of a session as the API shows it. A session is `waiting` as soon as its encoder is lost, although the live node
 * holds it for some seconds.
 */
const stateOf = ({ state, parent }: SessionRow): SessionState =>
  state === 'live' && parent.issues.includes(reconnectingIssue) ? 'waiting' : state;

type RecordingFields = Pick<
  SessionObject,
  | 'recordingStatus'
  | 'recordingUrl'
  | 'mp4URL'
  | 'mp4Url'
  | 'recordingError'
  | 'recordingErrorReason'
  | 'recordingGaps'
>;

/** Fields of the recording. The URLs are present when both can be fetched. */
function recordingOf(row: Session, settings: Pick<Settings, 'cdnUrl'>): RecordingFields {
  const recordingStatus = recordingStatusOf(row.recording);
  return {
    recordingStatus,
    ...(recordingStatus === 'ready' ? recordingUrls(settings, row.id) : {}),
    ...(row.recordingError === null ? {} : { recordingError: row.recordingError }),
    ...reasonField('recordingErrorReason', row.recordingError),
    ...(recordingStatus === 'ready' && row.recordingGaps !== null
      ? { recordingGaps: row.recordingGaps as unknown as { from: number; to: number }[] }
      : {}),
  };
}

/** The running session of a stream with stored segments, and its DVR window in seconds. */
export async function findDvrSession(
  ctx: Context,
  playbackId: string,
): Promise<{ readonly id: string; readonly seconds: number } | null> {
  const session = await ctx.db.session.findFirst({
    where: {
      state: { not: 'ended' },
      recording: { in: ['recording', 'waiting', 'transient'] },
      team: { suspended: false },
      parent: { playbackId, deletedAt: null, suspended: false },
    },
    orderBy: { createdAt: 'desc' },
    select: { id: true, record: true, parent: { select: { dvrSeconds: true } } },
  });
  const seconds = session ? dvrSecondsOf({ ...session, ...session.parent }) : 0;
  return session && seconds > 0 ? { id: session.id, seconds } : null;
}

/** Recording states in which a session can be played. */
export const playableStates: RecordingState[] = ['recording', 'waiting', 'processing', 'importing', 'ready'];

type RecordedSession = Pick<Session, 'id' | 'name' | 'createdAt' | 'playbackPolicy' | 'recording'> & {
  readonly parent: { readonly viewerClips: boolean; readonly description: string | null };
};

/**
 * A session whose recording viewers may fetch: the HLS from the first stored segment on, and the MP4 once it is ready. The
 * id is the only credential, besides the playback policy.
 */
export async function findRecordedSession(ctx: Context, sessionId: string): Promise<RecordedSession | null> {
  if (!isUuid(sessionId)) return null;
  return ctx.db.session.findFirst({
    where: {
      id: sessionId,
      recording: { in: playableStates },
      team: { suspended: false },
      parent: { deletedAt: null },
    },
    select: {
      id: true,
      name: true,
      createdAt: true,
      playbackPolicy: true,
      recording: true,
      parent: { select: { viewerClips: true, description: true } },
    },
  });
}
