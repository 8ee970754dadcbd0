import { MINUTE_MS } from '@/lib/core/units';
import {
  type HealthSample,
  addHealthSample,
  initialDoctorState,
  issuesOf,
} from '@/lib/core/streams/stream-doctor';
import type { Clock } from '@/lib/infra/clock';
import type { AuthorizedPublish, HealthRecord } from '@/lib/domain/streams';
import type {
  SessionFeature,
  FeatureHost,
  StartFeature,
} from '@/media-worker/media/packaging/session-feature';
import { TranscodeSpeed } from '@/media-worker/live/transcode/transcode-speed';
import { type Tracks, displaySize } from '@/media-worker/media/cmaf/codec-config';
import type { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { HealthMeter } from './health-meter';
import { PublishLateness } from './publish-lateness';

/** A health sample with the session it belongs to. */
interface SessionSample extends HealthSample {
  readonly streamId: string;
  readonly sessionId: string;
}

/** Measures the health of one live stream across its publishes, and reports issues. */
class HealthWatch implements SessionFeature {
  readonly #host: FeatureHost;
  readonly #clock: Clock;
  readonly #speed: TranscodeSpeed;
  readonly #lateness: PublishLateness;
  readonly #unsubscribers: readonly (() => void)[];
  readonly #onClose: () => void;
  #publish: AuthorizedPublish | null = null;
  #running: { readonly bus: PacketBus; readonly meter: HealthMeter } | null = null;
  #tracks: Tracks | null = null;
  #diagnosis = initialDoctorState;
  #issues: readonly string[] = [];

  constructor(host: FeatureHost, clock: Clock, onClose: () => void) {
    this.#host = host;
    this.#clock = clock;
    this.#onClose = onClose;
    this.#speed = new TranscodeSpeed(host.renditions);
    const { source } = host.renditions;
    this.#lateness = new PublishLateness(clock);
    this.#unsubscribers = [
      source.onEncoder((bus) => this.#follow(bus)),
      source.onPeriod(({ tracks }) => (this.#tracks = tracks)),
      source.window.observe({ onPart: (segment) => this.#lateness.recordPart(segment) }),
    ];
  }

  follow(publish: AuthorizedPublish): void {
    const isNewPublish = publish.publishNumber !== this.#publish?.publishNumber;
    this.#publish = publish;
    if (!isNewPublish) return;
    this.#diagnosis = initialDoctorState;
    this.#report([]);
  }

  close(): Promise<void> {
    for (const unsubscribe of this.#unsubscribers) unsubscribe();
    this.#running = null;
    this.#report([]);
    this.#onClose();
    return Promise.resolve();
  }

  /** Measures the health since the last call; null without a publisher, or when too little time has passed. */
  sample(): SessionSample | null {
    const measurement =
      this.#running && !this.#running.bus.ended ? this.#running.meter.takeMeasurement() : null;
    if (!measurement || !this.#publish) return null;
    const { streamId, sessionId } = this.#publish;
    const transcodeSpeed = this.#speed.sample();
    const sample = {
      ...measurement,
      ...tracksOf(this.#tracks, this.#running?.meter.hasAudio ?? false),
      transcodeSpeed,
      lateness: this.#lateness.takeLateness(),
    };
    this.#diagnosis = addHealthSample(this.#diagnosis, sample);
    this.#report(issuesOf(this.#diagnosis));
    return { ...sample, streamId, sessionId };
  }

  #follow(bus: PacketBus): void {
    const meter = new HealthMeter(this.#clock);
    this.#running = { bus, meter };
    bus.subscribe({ packet: (packet) => meter.addPacket(packet), end: () => undefined });
  }

  #report(issues: readonly string[]): void {
    if (issues.join('\n') === this.#issues.join('\n')) return;
    this.#issues = issues;
    this.#host.report(issues);
  }
}

/** Codec names of ffprobe. */
const codecNames = { avc: 'h264', hevc: 'hevc', av1: 'av1' } as const;

/** The tracks that the encoder sends, as the packager parsed them. */
function tracksOf(tracks: Tracks | null, hasAudio: boolean): Pick<HealthSample, 'video' | 'audio'> {
  const { video, audio } = tracks ?? {};
  return {
    video: video ? { codec: codecNames[video.coding], ...displaySize(video) } : null,
    audio:
      audio && hasAudio ? { codec: 'aac', sampleRate: audio.sampleRate, channels: audio.channels } : null,
  };
}

/** `minute`: whether it is the first sample of the session in its minute, which is stored longer. */
type TimedSample = SessionSample & { readonly sampledAtMs: number; readonly minute: boolean };

/** Samples kept during a database outage: 15 minutes for fifty streams. */
const MAX_WAITING_SAMPLES = 9_000;

/** Samples all streams of this process at the same time and writes the results in one batch. */
export class HealthLog {
  readonly #clock: Clock;
  readonly #write: (records: readonly HealthRecord[]) => Promise<void>;
  readonly #watches = new Set<HealthWatch>();
  /** The minute of the monotonic clock in which each session was sampled last. */
  readonly #lastMinutes = new Map<string, number>();
  #waitingSamples: TimedSample[] = [];

  constructor(clock: Clock, write: (records: readonly HealthRecord[]) => Promise<void>) {
    this.#clock = clock;
    this.#write = write;
  }

  readonly start: StartFeature = (host) => {
    const watch: HealthWatch = new HealthWatch(host, this.#clock, () => this.#watches.delete(watch));
    this.#watches.add(watch);
    return watch;
  };

  /** Samples every stream that has a publisher. */
  sample(): void {
    const now = this.#clock.monotonic();
    const sampledIds = new Set<string>();
    for (const watch of this.#watches) {
      const sample = watch.sample();
      if (!sample) continue;
      sampledIds.add(sample.sessionId);
      this.#waitingSamples.push({
        ...sample,
        sampledAtMs: now,
        minute: this.#startMinute(sample.sessionId, now),
      });
    }
    for (const sessionId of this.#lastMinutes.keys()) {
      if (!sampledIds.has(sessionId)) this.#lastMinutes.delete(sessionId);
    }
    // The oldest samples are dropped, because the dashboard shows the newest.
    if (this.#waitingSamples.length > MAX_WAITING_SAMPLES)
      this.#waitingSamples = this.#waitingSamples.slice(-MAX_WAITING_SAMPLES);
  }

  /** Writes all waiting samples. Rejects on failure, and keeps the samples for the next call. */
  async flush(): Promise<void> {
    const samples = this.#waitingSamples;
    if (samples.length === 0) return;
    this.#waitingSamples = [];
    const now = this.#clock.monotonic();
    try {
      await this.#write(
        samples.map(({ sampledAtMs, ...record }) => ({ ...record, ageMs: now - sampledAtMs })),
      );
    } catch (error) {
      this.#waitingSamples = [...samples, ...this.#waitingSamples];
      throw error;
    }
  }

  /**
   * Records that a session is sampled.
   * @returns whether this is its first sample in the current minute
   */
  #startMinute(sessionId: string, now: number): boolean {
    const minute = Math.floor(now / MINUTE_MS);
    if (this.#lastMinutes.get(sessionId) === minute) return false;
    this.#lastMinutes.set(sessionId, minute);
    return true;
  }
}
