import type { Clock } from '@/lib/infra/clock';
import { backoffDelay } from '@/lib/core/backoff';
import { isPackaged } from '@/media-worker/media/cmaf/codec-config';
import { GopCache } from '@/media-worker/media/packets/gop-cache';
import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import { Reordering } from '@/media-worker/media/packets/reordering';
import type { LiveFeed } from '@/media-worker/rtc/live-feeds';
import type { StreamVideo } from './choose-codecs';
import { OpusEncoder } from './opus-encoder';
import { createFrameConverter } from './rtp-frames';
import { ViewerTimeline } from './viewer-timeline';

/** A receiver of the media of a feed: a WHEP viewer or a WHIP target. */
export interface FeedViewer {
  /** Whether the viewer receives audio, which is encoded as Opus for it. */
  readonly takesAudio: boolean;
  sendVideo(packet: VideoPacket): void;
  /** Sends the cached frames again, because media was missing. */
  resume(): void;
  /** Sends one packet of Opus with its presentation time. */
  sendAudio(packet: Buffer, ptsMs: number): void;
  /** Ends the viewer, because the stream is over or its video no longer matches the answer. */
  end(): void;
}

export interface ViewerFeedOptions {
  /** Joins the stream at its live process. Resolves with null if it has no such stream; rejects if it does not respond. */
  readonly join: () => Promise<LiveFeed | null>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Called when the audio fails, with the reason, and with null when it works again. */
  readonly onAudioStateChange: (reason: string | null) => void;
  /** Called once, when the feed is closed. */
  readonly onClose: () => void;
}

const MAX_CACHED_GOP_BYTES = 8 * 1024 * 1024;
/** Time within which the packets of the current GOP arrive after joining. */
const GATHER_TIMEOUT_MS = 80;
const MAX_GATHERED_PACKETS = 4_096;
/** Time from the first packet until a stream without video counts as audio-only. */
const AUDIO_ONLY_AFTER_MS = 2_000;
/** Delay before rejoining after a live process was lost or while an encoder reconnects. */
const rejoinBackoff = { firstDelay: 200, maxDelay: 2_000 };
const REJOIN_TIMEOUT_MS = 20_000;
/** Time for which the feed stays open without viewers, so that a page reload needs no new encoder. */
const LINGER_MS = 8_000;

/**
 * The media of one stream for its viewers over WebRTC: one timeline across restarts of the live process and the encoder, and the
 * newest GOP for new viewers. Audio is encoded while there are viewers.
 */
export class ViewerFeed {
  readonly #options: ViewerFeedOptions;
  readonly #viewers = new Set<FeedViewer>();
  readonly #cache = new GopCache(MAX_CACHED_GOP_BYTES);
  readonly #reordering = new Reordering();
  readonly #audio: OpusEncoder;
  readonly #timeline = new ViewerTimeline();
  readonly #convertFrame = createFrameConverter();
  /** Milliseconds that were added to the timestamps of the newest frame; null before the first frame. */
  #shiftMs: number | null = null;
  #video: StreamVideo = null;
  #isReordered = false;
  #liveFeed: LiveFeed | null = null;
  /** The first packets of a feed, until they are placed on the timeline; null afterwards. */
  #gatheredPackets: MediaPacket[] | null = null;
  #settleReady: (isLive: boolean) => void = () => undefined;
  #lingerTimer: NodeJS.Timeout | undefined;
  #holderCount = 0;
  #isOver = false;
  /** Resolves with true when the tracks of the stream are known, and with false if the stream is not live. */
  readonly whenReady: Promise<boolean>;

  constructor(options: ViewerFeedOptions) {
    this.#options = options;
    this.whenReady = new Promise((resolve) => (this.#settleReady = resolve));
    const { clock, onAudioStateChange } = options;
    this.#audio = new OpusEncoder({
      now: () => clock.monotonic(),
      onPacket: (packet, ptsMs) => {
        for (const viewer of this.#viewers) viewer.sendAudio(packet, ptsMs);
      },
      onStateChange: onAudioStateChange,
    });
    void this.#joinUntilClosed();
  }

  get video(): StreamVideo {
    return this.#video;
  }

  /** Whether the video has B-frames. */
  get isReordered(): boolean {
    return this.#isReordered;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Video packets from the newest keyframe on. */
  cachedFrames(): VideoPacket[] {
    return this.#cache.snapshot().filter((packet) => packet.kind === 'video');
  }

  /** Keeps the feed open until the returned function is called. That function may be called twice. */
  hold(): () => void {
    clearTimeout(this.#lingerTimer);
    this.#holderCount += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holderCount -= 1;
      if (this.#holderCount === 0) this.#lingerTimer = setTimeout(() => this.close(), LINGER_MS);
    };
  }

  /** Sends new media to a viewer until the returned function is called. That function may be called twice. */
  watch(viewer: FeedViewer): () => void {
    // B-frames may have begun while the viewer was connecting.
    if (this.#isOver || this.#isReordered) {
      viewer.end();
      return () => undefined;
    }
    this.#viewers.add(viewer);
    if (viewer.takesAudio) this.#audio.start();
    return () => {
      this.#viewers.delete(viewer);
      if (![...this.#viewers].some(({ takesAudio }) => takesAudio)) this.#audio.stopLater();
    };
  }

  /** Closes the feed. May be called twice. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#lingerTimer);
    this.#settleReady(false);
    this.#liveFeed?.leave();
    void this.#audio.stop();
    this.#endViewers();
    this.#options.onClose();
  }

  async #joinUntilClosed(): Promise<void> {
    let failureCount = 0;
    let lostAtMs = this.#options.clock.monotonic();
    while (this.#isOpen()) {
      const feed = await this.#options.join().catch(() => null);
      if (feed && this.#isOpen()) {
        failureCount = 0;
        await this.#read(feed);
        lostAtMs = this.#options.clock.monotonic();
      } else feed?.leave();
      const isTimedOut = this.#options.clock.monotonic() - lostAtMs > REJOIN_TIMEOUT_MS;
      // The feed does not wait for a stream that has never been live.
      if (isTimedOut || (this.#shiftMs === null && !feed)) this.close();
      failureCount += 1;
      const delayMs = backoffDelay(failureCount, rejoinBackoff);
      if (this.#isOpen()) await new Promise((resolve) => setTimeout(resolve, delayMs).unref());
    }
  }

  #isOpen(): boolean {
    return !this.#isOver;
  }

  /** Reads a feed; resolves at its end. */
  async #read(feed: LiveFeed): Promise<void> {
    this.#liveFeed = feed;
    this.#gatheredPackets = [];
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      const onPacket = (mediaPacket: MediaPacket) => {
        timer ??= setTimeout(() => this.#placeGathered(), GATHER_TIMEOUT_MS);
        if (!this.#gatheredPackets) this.#handlePacket(mediaPacket);
        else if (this.#gatheredPackets.push(mediaPacket) >= MAX_GATHERED_PACKETS) this.#placeGathered();
      };
      feed.bus.subscribe({ packet: onPacket, end: () => resolve() });
    });
    clearTimeout(timer);
    feed.leave();
    this.#liveFeed = null;
  }

  #placeGathered(): void {
    const packets = this.#gatheredPackets;
    if (!packets || this.#isOver) return;
    this.#gatheredPackets = null;
    const monotonicMs = this.#options.clock.monotonic();
    const newestFrame = packets.findLast(({ role }) => role === 'frame');
    const shiftMs = newestFrame ? this.#timeline.placeBurst(newestFrame.dts, monotonicMs) : 0;
    // Viewers that were connected before get the burst from the cache, paced, instead of packet by packet.
    const pausedViewers = [...this.#viewers];
    this.#viewers.clear();
    for (const packet of packets) this.#handlePacket(packet, shiftMs);
    for (const viewer of pausedViewers) {
      this.#viewers.add(viewer);
      viewer.resume();
    }
    if (this.#video) this.#settleReady(true);
  }

  /** Handles a packet, whose timestamps are moved by `shiftMs`, or by the offset of the timeline if it is absent. */
  #handlePacket(packet: MediaPacket, shiftMs?: number): void {
    if (packet.role === 'config') this.#handleConfig(packet);
    else {
      const monotonicMs = this.#options.clock.monotonic();
      this.#handleFrame(packet, shiftMs ?? this.#timeline.placePacket(packet.dts, monotonicMs));
    }
  }

  #handleConfig(packet: MediaPacket): void {
    if (packet.kind === 'audio') {
      this.#audio.push(packet);
      return;
    }
    this.#reordering.observe(packet);
    if (!isPackaged(packet.codec)) return;
    const previousVideo = this.#video;
    this.#video = { coding: packet.codec, record: packet.payload };
    this.#cache.add(this.#convertFrame(packet));
    if (previousVideo !== null && previousVideo.coding !== packet.codec) this.#endViewers();
  }

  #handleFrame(packet: MediaPacket, shiftMs: number): void {
    if (this.#shiftMs === null) setTimeout(() => this.#settleReady(true), AUDIO_ONLY_AFTER_MS).unref();
    else if (this.#shiftMs !== shiftMs) this.#audio.restart();
    this.#shiftMs = shiftMs;
    const placedPacket = { ...packet, dts: packet.dts + shiftMs, pts: packet.pts + shiftMs };
    if (placedPacket.kind === 'audio') this.#audio.push(placedPacket);
    else this.#sendToViewers(placedPacket);
  }

  #sendToViewers(packet: VideoPacket): void {
    const wasReordered = this.#isReordered;
    this.#isReordered = this.#reordering.observe(packet);
    if (this.#isReordered && !wasReordered) this.#endViewers();
    const frame = this.#convertFrame(packet);
    this.#cache.add(frame);
    for (const viewer of this.#viewers) viewer.sendVideo(frame);
  }

  #endViewers(): void {
    for (const viewer of [...this.#viewers]) viewer.end();
    this.#viewers.clear();
  }
}
