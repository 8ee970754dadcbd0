import { examine, initialDoctorState, issuesOf } from '@/lib/core/stream-doctor';
import type { HealthSample } from '@/lib/core/health-sample';
import type { Clock } from '@/lib/infra/clock';
import type { AuthorizedPublish } from '@/lib/streams';
import { displaySize, type Tracks } from '../cmaf/codec-config';
import type { PacketBus } from '../ingest/packet-bus';
import type { Companion, CompanionHost } from './companion';
import { HealthMeter } from './health-meter';
import { TranscodeSpeed } from './transcode-speed';

/** A sample, and of which session it is. */
export interface WatchedSample extends HealthSample {
  readonly streamId: string;
  readonly sessionId: string;
}

/** Follows how well a stream is published, run after run, and says what is wrong with it. */
export class HealthWatch implements Companion {
  readonly #host: CompanionHost;
  readonly #clock: Clock;
  readonly #speed: TranscodeSpeed;
  readonly #forget: readonly (() => void)[];
  readonly #onClose: () => void;
  #publish: AuthorizedPublish | null = null;
  #running: { readonly bus: PacketBus; readonly meter: HealthMeter } | null = null;
  #tracks: Tracks | null = null;
  #doctor = initialDoctorState;
  #said: readonly string[] = [];

  constructor(host: CompanionHost, clock: Clock, onClose: () => void) {
    this.#host = host;
    this.#clock = clock;
    this.#onClose = onClose;
    this.#speed = new TranscodeSpeed(host.renditions);
    const { source } = host.renditions;
    this.#forget = [
      source.onBus((bus) => this.#follow(bus)),
      source.onPeriod(({ tracks }) => (this.#tracks = tracks)),
    ];
  }

  follow(publish: AuthorizedPublish): void {
    const next = publish.run !== this.#publish?.run;
    this.#publish = publish;
    if (!next) return;
    this.#doctor = initialDoctorState;
    this.#say([]);
  }

  close(): Promise<void> {
    for (const forget of this.#forget) forget();
    this.#running = null;
    this.#onClose();
    return Promise.resolve();
  }

  /** The measurement since the last call; null without a publisher, or if the time is too short. */
  sample(): WatchedSample | null {
    const measured = this.#running && !this.#running.bus.ended ? this.#running.meter.take() : null;
    if (!measured || !this.#publish) return null;
    const { streamId, sessionId } = this.#publish;
    const transcodeSpeed = this.#speed.sample();
    const sample = { ...measured, ...tracksOf(this.#tracks), transcodeSpeed };
    this.#doctor = examine(this.#doctor, sample);
    this.#say(issuesOf(this.#doctor));
    return { ...sample, streamId, sessionId };
  }

  #follow(bus: PacketBus): void {
    const meter = new HealthMeter(this.#clock);
    this.#running = { bus, meter };
    this.#tracks = null;
    bus.subscribe({ packet: (packet) => meter.packet(packet), end: () => undefined });
  }

  #say(issues: readonly string[]): void {
    if (issues.join('\n') === this.#said.join('\n')) return;
    this.#said = issues;
    this.#host.report(issues);
  }
}

function tracksOf(tracks: Tracks | null): Pick<HealthSample, 'video' | 'audio'> {
  const { video, audio } = tracks ?? {};
  return {
    video: video ? { codec: 'h264', ...displaySize(video) } : null,
    audio: audio ? { codec: 'aac', sampleRate: audio.sampleRate, channels: audio.channels } : null,
  };
}
