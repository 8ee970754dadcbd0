import type HlsClass from 'hls.js';
import type { ErrorData, HlsConfig, LoadPolicy } from 'hls.js';
import { isLivePlaylist } from './probe';
import type { Engine, EngineEvents, EngineFacts, Rendition } from './engine';
import { omitUndefined } from '@/lib/core/omit-undefined';

/** Time after a recovery in which another media error is fatal. */
const RECOVERY_WINDOW_MS = 10_000;
/** Latency in seconds above which the clock of the device is assumed to be wrong. */
const MAX_PLAUSIBLE_LATENCY_SECONDS = 120;

/**
 * Policy for one kind of request.
 * @param retries largest number of retries after an error or a timeout
 */
function loadPolicy(firstByteTimeoutMs: number, retries: number): LoadPolicy {
  const retry = { maxNumRetry: retries, retryDelayMs: 500, maxRetryDelayMs: 4000 };
  return {
    default: {
      maxTimeToFirstByteMs: firstByteTimeoutMs,
      maxLoadTimeMs: 20_000,
      timeoutRetry: { ...retry, retryDelayMs: 0 },
      errorRetry: {
        ...retry,
        // A missing playlist means that the stream is offline: an immediate retry would only fill the log.
        shouldRetry: (_config, count, timedOut, response) =>
          count < retries && (timedOut || (response?.code !== 404 && response?.code !== 410)),
      },
    },
  };
}

/**
 * Distance to the end of a playlist without parts, in target durations: one until the next segment is listed, and one
 * for a slow network. hls.js increases the distance when playback stalls.
 */
const TARGET_DURATIONS_BEHIND = 2;

/** Maximum playback rate at which hls.js catches up with the live edge. */
const CATCH_UP_RATE = 1.1;

const config: Partial<HlsConfig> = {
  // Keeps the distance PART-HOLD-BACK of the playlist, and catches up after a delay.
  lowLatencyMode: true,
  maxLiveSyncPlaybackRate: CATCH_UP_RATE,
  // Lengths of the buffer in seconds: behind the position, and ahead of it.
  backBufferLength: 30,
  maxBufferLength: 20,
  // The default would buffer up to ten minutes, and renditions of an asset are encoded on request.
  maxMaxBufferLength: 60,
  liveDurationInfinity: true,
  startFragPrefetch: true,
  capLevelToPlayerSize: true,
  enableWorker: false,
  manifestLoadPolicy: loadPolicy(8000, 1),
  playlistLoadPolicy: loadPolicy(8000, 3),
  fragLoadPolicy: loadPolicy(10_000, 4),
};

/** Engine that plays HLS with hls.js and Media Source Extensions. */
export class HlsEngine implements Engine {
  readonly #hls: HlsClass;
  /** Time of the last recovery, as `performance.now()`. The first error is always outside of the window. */
  #recoveredAt = -RECOVERY_WINDOW_MS;
  #isAudioOnly = false;

  constructor(
    private readonly Hls: typeof HlsClass,
    private readonly video: HTMLVideoElement,
    private readonly src: string,
    private readonly events: EngineEvents,
    startAt?: number,
  ) {
    this.#hls = new Hls({ ...config, ...omitUndefined({ startPosition: startAt }) });
    // As a constructor option, this value would override the distance in a low-latency playlist.
    this.#hls.config.liveSyncDurationCount = TARGET_DURATIONS_BEHIND;
  }

  start(): void {
    const { Events } = this.Hls;
    const hls = this.#hls;
    hls.on(Events.MANIFEST_PARSED, () => {
      // Start with the first listed rendition: other renditions of an asset may not be encoded yet.
      if (!isLivePlaylist(this.src)) hls.startLevel = hls.firstLevel;
      this.events.renditions(this.#renditions());
    });
    hls.on(Events.LEVEL_SWITCHED, (_name, data) => this.events.rendition(data.level));
    hls.on(Events.AUDIO_TRACKS_UPDATED, () => this.#reportAudioTracks());
    hls.on(Events.AUDIO_TRACK_SWITCHED, () => this.#reportAudioTracks());
    hls.on(Events.BUFFER_CODECS, (_name, data) => {
      // Media Source Extensions cannot add a track: video that starts after the audio needs a new engine.
      if (data.audiovideo && this.#isAudioOnly) this.events.fatalError();
      this.#isAudioOnly = data.audio !== undefined;
    });
    hls.on(Events.ERROR, (_name, data) => {
      if (data.fatal) this.#handleFatalError(data);
    });
    hls.loadSource(this.src);
    hls.attachMedia(this.video);
  }

  stopLoading(): void {
    this.#hls.stopLoad();
  }

  chooseRendition(index: number): void {
    this.#hls.nextLevel = index;
  }

  chooseAudio(index: number): void {
    this.#hls.audioTrack = index;
  }

  setCatchUp(isEnabled: boolean): void {
    this.#hls.config.maxLiveSyncPlaybackRate = isEnabled ? CATCH_UP_RATE : 1;
  }

  facts(): EngineFacts {
    const level = this.#hls.levels[this.#hls.currentLevel];
    const codecs = [level?.videoCodec, level?.audioCodec].filter(Boolean).join(', ');
    return {
      name: `hls.js ${this.Hls.version}`,
      bitrate: level?.bitrate ?? null,
      codecs: codecs || null,
      lowestBitrate: this.#hls.levels.reduce<number | null>(
        (least, otherLevel) => Math.min(otherLevel.bitrate, least ?? otherLevel.bitrate),
        null,
      ),
      bandwidth: Number.isFinite(this.#hls.bandwidthEstimate) ? this.#hls.bandwidthEstimate : null,
    };
  }

  latency(): number | null {
    const playingDate = this.#hls.playingDate;
    const clockLatency = playingDate ? (Date.now() - playingDate.getTime()) / 1000 : -1;
    if (clockLatency > 0 && clockLatency < MAX_PLAUSIBLE_LATENCY_SECONDS) return clockLatency;
    // Without a plausible clock, the distance to the end of the playlist is the best estimate.
    return this.#hls.latency > 0 ? this.#hls.latency : null;
  }

  livePosition(): number | null {
    return this.#hls.liveSyncPosition;
  }

  targetLatency(): number {
    return this.#hls.targetLatency ?? 0;
  }

  dateAt(seconds: number): number | null {
    const fragments = this.#hls.levels[this.#hls.currentLevel]?.details?.fragments ?? [];
    const fragment = fragments.findLast(({ start }) => start <= seconds) ?? fragments[0];
    const date = fragment?.programDateTime ?? null;
    return fragment && date !== null ? date + (seconds - fragment.start) * 1000 : null;
  }

  destroy(): void {
    this.#hls.destroy();
  }

  #renditions(): Rendition[] {
    return this.#hls.levels.map((level, index) => ({
      index,
      label: level.height > 0 ? `${level.height}p` : `${Math.round(level.bitrate / 1000)} kbit/s`,
    }));
  }

  #reportAudioTracks(): void {
    const tracks = this.#hls.audioTracks.map(({ name, lang }, index) => ({
      index,
      label: name || (lang ?? ''),
    }));
    this.events.audioTracks(tracks, this.#hls.audioTrack);
  }

  #handleFatalError(data: ErrorData): void {
    const { ErrorTypes, ErrorDetails } = this.Hls;
    if (data.type === ErrorTypes.NETWORK_ERROR) {
      const isMissing = data.response?.code === 404 || data.response?.code === 410;
      this.events.sourceLost(isMissing ? 'missing' : 'unreachable');
      return;
    }
    const { MANIFEST_INCOMPATIBLE_CODECS_ERROR, BUFFER_INCOMPATIBLE_CODECS_ERROR } = ErrorDetails;
    if ([MANIFEST_INCOMPATIBLE_CODECS_ERROR, BUFFER_INCOMPATIBLE_CODECS_ERROR].includes(data.details)) {
      this.events.sourceLost('unplayable');
      return;
    }
    const canRecover = performance.now() - this.#recoveredAt > RECOVERY_WINDOW_MS;
    if (data.type !== ErrorTypes.MEDIA_ERROR || !canRecover) {
      this.events.fatalError();
      return;
    }
    this.#recoveredAt = performance.now();
    this.#hls.recoverMediaError();
    this.events.recovered();
  }
}
