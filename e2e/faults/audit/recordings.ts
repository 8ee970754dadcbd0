import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, type types } from 'hls-parser';
import { z } from 'zod';
import { parseSegmentName } from '@/lib/core/sessions/recorded-segment';
import { renditionFolder } from '@/lib/core/renditions/profile-rules';
import type { SeenSegment } from '../ledger';
import { sha256 } from '../load/remote-servers';
import { measureLengths, readFrames, type DecodedFrames } from '../media/read-frames';
import { findJumps } from '../media/frame-code';
import type { Stage } from '../stage';
import { download } from './assets';
import type { Database } from './database';

interface SessionRow {
  readonly id: string;
  readonly parentId: string;
  readonly recording: string;
  readonly recordingError: string | null;
  readonly recordingGaps: readonly unknown[] | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly sourceSegments: number;
}

interface StoredSegment {
  readonly key: string;
  /** Id of the period, which identifies the publish and its init segment. */
  readonly period: string;
}

/** Stored segments by their name `<folder>/<media sequence number>`, with the folder names of live playlists. */
type StoredSegments = ReadonlyMap<string, StoredSegment>;

const periodSchema = z.object({ rendition: z.string() });
const sessionSchema = z.object({ recordingUrl: z.string(), mp4Url: z.string() });

export class RecordingAudit {
  readonly #auditedSessions = new Set<string>();
  /** Names of the stored segments of all recordings, by stream id. */
  readonly #storedNames = new Map<string, Set<string>>();
  /** Segments that were reported as unrecorded, as `<stream id>/<name>`. */
  readonly #reportedSegments = new Set<string>();
  recordings = 0;
  segmentsCompared = 0;
  framesDecoded = 0;

  constructor(private readonly stage: Stage) {}

  /**
   * Audits the recordings of new sessions: they contain every segment that viewers received, byte for byte, and play
   * completely. Lost segments of streams with a slate are not reported.
   */
  async run(database: Database): Promise<void> {
    const sessions = await database.query<SessionRow>(
      `select id, "parentId", recording, "recordingError", "recordingGaps", "createdAt", "endedAt", "sourceSegments"
       from "Session" where record order by "createdAt"`,
    );
    for (const session of sessions) {
      if (this.#auditedSessions.has(session.id)) continue;
      this.#auditedSessions.add(session.id);
      await this.#auditSession(session);
    }
    this.#reportUnrecordedSegments();
  }

  async #auditSession(session: SessionRow): Promise<void> {
    const { journal } = this.stage;
    const { id, recording, recordingError } = session;
    if (recordingError !== null)
      journal.reportProblem('a recording has an error', id, { recordingError, recording });
    if (recording === 'failed') journal.reportProblem('a recording failed', id, session);
    else if (recording !== 'ready' && recording !== 'empty')
      journal.reportProblem('a recording is neither ready nor empty', id, session);
    const storedSegments = await this.#readStoredSegments(session);
    await this.#compareWithViewers(session, storedSegments);
    if (recording !== 'ready') return;
    this.recordings += 1;
    await this.#auditPlayback(session, storedSegments);
  }

  async #readStoredSegments({ id, parentId }: SessionRow): Promise<StoredSegments> {
    const storedSegments = new Map<string, StoredSegment>();
    const streamSegmentNames = this.#storedNames.get(parentId) ?? new Set<string>();
    this.#storedNames.set(parentId, streamSegmentNames);
    const liveFolders = await this.#readLiveFolders(id);
    for (const key of await this.stage.files.listKeys(`recording/${id}/hls/`)) {
      const [folder = '', file = ''] = key.split('/').slice(-2);
      const segment = parseSegmentName(file);
      if (!segment) continue;
      const name = `${liveFolders.get(folder) ?? folder}/${segment.msn}`;
      storedSegments.set(name, { key, period: segment.period });
      streamSegmentNames.add(name);
    }
    return storedSegments;
  }

  /**
   * Maps stored folders, which have short names, to the folder names of live playlists. The storage has a JSON file for each
   * period of a rendition, in `stretch/<stored folder>/`.
   */
  async #readLiveFolders(id: string): Promise<Map<string, string>> {
    const { files } = this.stage;
    const folders = new Map<string, string>();
    for (const key of await files.listKeys(`recording/${id}/stretch/`)) {
      const folder = key.split('/').at(-2) ?? '';
      if (folders.has(folder)) continue;
      const periodJson: unknown = JSON.parse((await files.read(key)).toString());
      folders.set(folder, renditionFolder(periodSchema.parse(periodJson).rendition));
    }
    return folders;
  }

  /** Compares the segments that viewers received during the session with the stored segments. */
  async #compareWithViewers(session: SessionRow, storedSegments: StoredSegments): Promise<void> {
    const { ledger, files, journal } = this.stage;
    const fromMs = session.createdAt.getTime();
    const toMs = (session.endedAt ?? new Date()).getTime() + 1_000;
    const lostNames: string[] = [];
    const differences: object[] = [];
    for (const [name, segment] of ledger.seenSegments.get(session.parentId) ?? []) {
      if (segment.receivedAt < fromMs || segment.receivedAt > toMs) continue;
      this.segmentsCompared += 1;
      const storedSegment = storedSegments.get(name);
      if (!storedSegment) lostNames.push(name);
      else await this.#compareBytes(segment, storedSegment, differences, files);
    }
    const { id, recordingGaps: gaps } = session;
    if (lostNames.length > 0 && !this.#hasSlate(session.parentId))
      journal.reportProblem('a recording lacks segments that viewers received', id, {
        count: lostNames.length,
        lost: lostNames.slice(0, 10),
        gaps,
      });
    if (differences.length > 0)
      journal.reportProblem('a recorded segment differs from the one viewers received', id, {
        count: differences.length,
        different: differences.slice(0, 3),
      });
  }

  /** Whether the stream has a slate. Viewers receive segments of the slate, and recordings do not contain them. */
  #hasSlate(streamId: string): boolean {
    return this.stage.streams.some(({ entry, slate }) => slate && entry.id === streamId);
  }

  async #compareBytes(
    viewerSegment: SeenSegment,
    storedSegment: StoredSegment,
    differences: object[],
    files: Stage['files'],
  ): Promise<void> {
    const bytes = await files.read(storedSegment.key).catch(() => null);
    if (!bytes || sha256(bytes) !== viewerSegment.sha256)
      differences.push({
        key: storedSegment.key,
        receivedBytes: viewerSegment.bytes,
        stored: bytes?.length ?? 'unreadable',
      });
  }

  /** Reports segments of the source that viewers received and that no recording of the stream contains. */
  #reportUnrecordedSegments(): void {
    const { ledger, journal } = this.stage;
    for (const [streamId, viewerSegments] of ledger.seenSegments) {
      const storedNames = this.#storedNames.get(streamId);
      const lostSegments = [...viewerSegments].filter(
        ([name, { folder }]) =>
          folder === 'source' &&
          !storedNames?.has(name) &&
          !this.#reportedSegments.has(`${streamId}/${name}`),
      );
      if (this.#hasSlate(streamId)) continue;
      const [first] = lostSegments;
      if (!first) continue;
      for (const [name] of lostSegments) this.#reportedSegments.add(`${streamId}/${name}`);
      journal.reportProblem(
        'no recording of the stream has segments that viewers received',
        `${streamId}/${first[0]}`,
        {
          count: lostSegments.length,
          from: new Date(first[1].receivedAt),
          to: new Date(lostSegments.at(-1)?.[1].receivedAt ?? first[1].receivedAt),
        },
      );
    }
  }

  async #auditPlayback(session: SessionRow, storedSegments: StoredSegments): Promise<void> {
    const { api, journal } = this.stage;
    const { id } = session;
    const { status, json } = await api.send('GET', `/api/session/${id}`);
    const shownSession = sessionSchema.safeParse(json).data;
    if (status !== 200 || !shownSession) {
      journal.reportProblem('a session does not show its recording', id, { status, json });
      return;
    }
    const seconds = await this.#auditPlaylists(id, shownSession.recordingUrl, storedSegments);
    const file = join(journal.directory, 'recording.mp4');
    const mp4 = await download(shownSession.mp4Url);
    if (mp4.status !== 200) {
      journal.reportProblem('the MP4 of a recording does not download', id, { status: mp4.status });
      return;
    }
    await writeFile(file, mp4.body);
    const lengths = await measureLengths(file);
    if (Math.abs(lengths.total - seconds) > 0.6)
      journal.reportProblem('MP4 and HLS of a recording differ in length', id, { lengths, hls: seconds });
    if (
      lengths.video === undefined ||
      lengths.audio === undefined ||
      Math.abs(lengths.video - lengths.audio) > 0.5
    )
      journal.reportProblem('audio and video of a recording differ in length', id, lengths);
    if (seconds > 0)
      await this.#auditFrames(session, shownSession.recordingUrl, storedSegments, await readFrames(file));
  }

  /** @returns duration of the source's playlist in seconds */
  async #auditPlaylists(id: string, masterUrl: string, storedSegments: StoredSegments): Promise<number> {
    const { journal } = this.stage;
    const masterPlaylist = await readPlaylist(masterUrl);
    if (!masterPlaylist?.isMasterPlaylist) {
      journal.reportProblem('the master playlist of a recording cannot be read', id, { masterUrl });
      return 0;
    }
    let sourceSeconds = 0;
    for (const [index, { uri }] of masterPlaylist.variants.entries()) {
      const playlist = await readPlaylist(new URL(uri, masterUrl).href);
      if (!playlist || playlist.isMasterPlaylist) {
        journal.reportProblem('a playlist of a recording cannot be read', `${id} ${uri}`);
        continue;
      }
      const seconds = playlist.segments.reduce((sum, { duration }) => sum + duration, 0);
      if (!playlist.endlist) journal.reportProblem('a playlist of a recording does not end', `${id} ${uri}`);
      if (index === 0) sourceSeconds = seconds;
      else if (Math.abs(seconds - sourceSeconds) > 0.5)
        journal.reportProblem('renditions of a recording differ in length', `${id} ${uri}`, {
          seconds,
          sourceSeconds,
        });
      const listedCount = playlist.segments.filter(({ gap }) => gap !== true).length;
      const storedCount = [...storedSegments.keys()].filter((name) => name.startsWith('source/')).length;
      if (index === 0 && listedCount !== storedCount)
        journal.reportProblem('a playlist does not list what is stored', id, {
          listed: listedCount,
          stored: storedCount,
        });
    }
    return sourceSeconds;
  }

  async #auditFrames(
    session: SessionRow,
    masterUrl: string,
    storedSegments: StoredSegments,
    mp4: DecodedFrames,
  ): Promise<void> {
    const { journal, random } = this.stage;
    const { id } = session;
    this.framesDecoded += mp4.frames.length;
    const sources = new Set(mp4.frames.flatMap((frame) => frame?.source ?? []));
    if (mp4.warnings.length > 0)
      journal.reportProblem('the MP4 of a recording does not decode cleanly', id, mp4.warnings.slice(0, 5));
    const unreadable = mp4.frames.filter((frame) => frame === null).length;
    if (unreadable > 0) journal.reportProblem('frames of a recording are damaged', id, { unreadable });
    if (sources.size > 1) journal.reportProblem('a recording mixes streams', id, { sources: [...sources] });
    const jumps = findJumps(mp4.frames);
    const publishes = new Set([...storedSegments.values()].map(({ period }) => period)).size;
    const gaps = session.recordingGaps?.length ?? 0;
    if (jumps.length > Math.max(gaps, publishes - 1))
      journal.reportProblem('a recording skips frames inside a publish', id, {
        jumps: jumps.slice(0, 8),
        gaps,
        publishes,
      });
    // HLS takes as long to decode as the MP4, so it is compared for about a third of the recordings.
    if (random.next() >= 0.35) return;
    const hls = await readFrames(new URL('source/index.m3u8', masterUrl).href);
    const isSame =
      hls.frames.length === mp4.frames.length &&
      hls.frames.every((frame, index) => frame?.frame === mp4.frames[index]?.frame);
    if (!isSame)
      journal.reportProblem('HLS and MP4 of a recording show different frames', id, {
        hls: hls.frames.length,
        mp4: mp4.frames.length,
        warnings: hls.warnings.slice(0, 3),
      });
  }
}

async function readPlaylist(url: string): Promise<types.MasterPlaylist | types.MediaPlaylist | null> {
  const { status, body } = await download(url);
  if (status !== 200) return null;
  try {
    return parse(body.toString());
  } catch {
    return null;
  }
}
