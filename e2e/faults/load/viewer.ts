import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, type types } from 'hls-parser';
import type { PublishedStream, Stage } from '../stage';
import { describeError } from './api-client';

/** A time in which a stream had no master playlist. */
export interface Outage {
  readonly streamName: string;
  /** Status or error of the first failed request. */
  readonly reason: string;
  readonly durationMs: number;
}

interface PlaylistState {
  readonly loadedAt: number;
  readonly firstMsn: number;
  readonly lastMsn: number;
  readonly discontinuitySequence: number;
}

const PLAYLIST_INTERVAL_MS = 900;
const TIMEOUT_MS = 8_000;

/**
 * Loads every rendition of a stream, records each received segment, and checks that playlists parse and that their sequence
 * numbers comply with RFC 8216.
 */
export class Viewer {
  readonly outages: Outage[] = [];
  readonly #playlists = new Map<string, PlaylistState>();
  readonly #whenStopped: Promise<void>;
  #isRunning = true;
  /** Whether the stream has been playable once. Outages before are not counted. */
  #hasPlayed = false;
  #isPublished = true;
  #outage: { startedAt: number; reason: string } | undefined;

  constructor(
    private readonly stage: Stage,
    private readonly stream: PublishedStream,
  ) {
    this.#whenStopped = this.#watch();
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#whenStopped;
  }

  /** Ends the current outage and counts no further ones, because the playlist is removed when its publish ends. */
  stopCountingOutages(): void {
    this.#endOutage();
    this.#isPublished = false;
  }

  async #watch(): Promise<void> {
    const { service, journal } = this.stage;
    const masterUrl = `${service.mediaUrl}/hls/${this.stream.entry.playbackId}/index.m3u8?ll=0`;
    while (this.#isRunning) {
      try {
        const { status, body } = await fetchBody(masterUrl);
        if (status !== 200) this.#startOutage(String(status));
        else {
          this.#recordPlayed();
          const playlist = this.#parse(body, masterUrl);
          if (playlist?.isMasterPlaylist)
            for (const { uri } of playlist.variants) await this.#loadPlaylist(new URL(uri, masterUrl).href);
        }
      } catch (error) {
        this.#startOutage(describeError(error));
        journal.recordIncident(`viewer: ${describeError(error)}`, { stream: this.stream.entry.id });
      }
      await sleep(PLAYLIST_INTERVAL_MS);
    }
  }

  async #loadPlaylist(url: string): Promise<void> {
    const { status, body } = await fetchBody(url);
    if (status !== 200) {
      this.stage.journal.recordIncident(`viewer: playlist ${status}`, { url });
      return;
    }
    const playlist = this.#parse(body, url);
    if (!playlist || playlist.isMasterPlaylist) return;
    const folder = new URL(url).pathname.split('/').at(-2) ?? '';
    this.#checkSequences(folder, playlist);
    for (const segment of playlist.segments)
      if (segment.gap !== true) await this.#loadSegment(folder, segment, url);
  }

  /**
   * Checks that sequence numbers do not decrease since the last load. Segments that were listed only between two loads are an
   * incident.
   */
  #checkSequences(folder: string, playlist: types.MediaPlaylist): void {
    const { journal } = this.stage;
    const id = `${this.stream.entry.id}/${folder}`;
    const firstMsn = playlist.mediaSequenceBase ?? 0;
    const discontinuitySequence = playlist.discontinuitySequenceBase ?? 0;
    const previous = this.#playlists.get(folder);
    const lastMsn = playlist.segments.at(-1)?.mediaSequenceNumber ?? previous?.lastMsn ?? firstMsn - 1;
    this.#playlists.set(folder, { loadedAt: Date.now(), firstMsn, lastMsn, discontinuitySequence });
    if (!previous) return;
    if (firstMsn < previous.firstMsn)
      journal.reportProblem('the media sequence of a playlist went back', `${id} ${firstMsn}`, {
        before: previous,
      });
    if (discontinuitySequence < previous.discontinuitySequence && firstMsn > previous.firstMsn)
      journal.reportProblem('the discontinuity sequence went back', `${id} ${firstMsn}`, {
        before: previous,
        discontinuitySequence,
      });
    const missedCount = firstMsn - previous.lastMsn - 1;
    if (missedCount > 0 && Date.now() - previous.loadedAt < 4_000 && missedCount < 1_000)
      journal.recordIncident('viewer: segments skipped', { id, from: previous.lastMsn, to: firstMsn });
  }

  async #loadSegment(folder: string, segment: types.Segment, playlistUrl: string): Promise<void> {
    const { journal, ledger, api } = this.stage;
    const { entry } = this.stream;
    const msn = segment.mediaSequenceNumber;
    const id = `${entry.id}/${folder}/${msn}`;
    const initUri = segment.map.uri;
    const knownSegment = ledger.seenSegments.get(entry.id)?.get(`${folder}/${msn}`);
    if (knownSegment) {
      if (knownSegment.seconds !== segment.duration || knownSegment.initUri !== initUri)
        journal.reportProblem('a listed segment changed', id, {
          knownSegment,
          seconds: segment.duration,
          initUri,
        });
      return;
    }
    const download = await fetchBody(new URL(segment.uri, playlistUrl).href).catch((error: unknown) => ({
      status: describeError(error),
      body: Buffer.alloc(0),
    }));
    if (download.status !== 200) {
      journal.recordIncident(`viewer: segment ${download.status}`, { id });
      return;
    }
    if (download.body.length === 0) journal.reportProblem('a listed segment is empty', id);
    api.counters.viewerSegments += 1;
    ledger.addSeenSegment(entry.id, {
      folder,
      msn,
      seconds: segment.duration,
      initUri,
      sha256: createHash('sha256').update(download.body).digest('hex'),
      bytes: download.body.length,
      receivedAt: Date.now(),
    });
  }

  #parse(body: Buffer, url: string): types.MasterPlaylist | types.MediaPlaylist | null {
    try {
      return parse(body.toString());
    } catch (error) {
      this.stage.journal.reportProblem('a playlist is not valid HLS', url, {
        reason: String(error),
        text: String(body),
      });
      return null;
    }
  }

  #startOutage(reason: string): void {
    if (this.#hasPlayed && this.#isPublished) this.#outage ??= { startedAt: Date.now(), reason };
  }

  #recordPlayed(): void {
    this.#hasPlayed = true;
    this.#endOutage();
  }

  #endOutage(): void {
    if (!this.#outage) return;
    const { startedAt, reason } = this.#outage;
    this.outages.push({
      streamName: this.stream.entry.name,
      reason,
      durationMs: Date.now() - startedAt,
    });
    this.#outage = undefined;
  }
}

async function fetchBody(url: string): Promise<{ status: number; body: Buffer }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}
