import {
  type ConnectionProblem,
  isOnAir,
  type PublisherEvent,
  publisherMachine,
  type PublisherState,
  reconnectDelayMs,
} from '@/lib/core/streams/go-live/publisher-state';
import type { OutgoingFigures } from '@/lib/core/streams/go-live/outgoing-figures';
import { defaultQuality, type Quality } from '@/lib/core/streams/go-live/quality';
import { type CameraChoice, type MicrophoneChoice } from './media-devices';
import { Sources } from './sources';
import type { SourcesSnapshot } from './sources-snapshot';
import { WhipConnection, type WhipEndpoint } from './whip-connection';

const LOOK_MS = 1_000;

export interface PublisherSnapshot extends SourcesSnapshot {
  readonly state: PublisherState;
  readonly connectionProblem: ConnectionProblem | null;
  readonly quality: Quality;
  /** Null before the first second of a connection. */
  readonly figures: OutgoingFigures | null;
  /** Since it went live; null: it has not. */
  readonly liveSeconds: number | null;
}

/** Publishes what a person shows and says to a stream, by WHIP. What may follow what is in lib/core/streams/go-live. */
export class Publisher {
  readonly #listeners = new Set<() => void>();
  readonly #sources: Sources;
  #quality = defaultQuality;
  #state: PublisherState = 'idle';
  #problem: ConnectionProblem | null = null;
  #figures: OutgoingFigures | null = null;
  #liveSince: number | null = null;
  #endpoint: WhipEndpoint | null = null;
  #connection: WhipConnection | null = null;
  /** Of the outage that is going on. */
  #lostAt = 0;
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #looking: ReturnType<typeof setInterval> | undefined;
  #snapshot: PublisherSnapshot;

  constructor() {
    this.#sources = new Sources(this.#quality, {
      onChange: () => this.#publishSnapshot(),
      onVideo: (track) => void this.#connection?.replaceVideo(track).catch(() => undefined),
    });
    this.#snapshot = this.#readSnapshot();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  snapshot = (): PublisherSnapshot => this.#snapshot;

  /** The loudest sample of the microphone lately, 0 to 1. */
  peak = (): number => this.#sources.peak();

  openCameraAndMicrophone(): Promise<void> {
    return this.#open(() => this.#sources.openCameraAndMicrophone());
  }

  openCamera(choice?: CameraChoice): Promise<void> {
    return this.#open(() => this.#sources.openCamera(choice));
  }

  openScreen(): Promise<void> {
    return this.#open(() => this.#sources.openScreen());
  }

  openMicrophone(choice?: MicrophoneChoice): Promise<void> {
    return this.#open(() => this.#sources.openMicrophone(choice));
  }

  closeMicrophone(): void {
    this.#sources.closeMicrophone();
    if (!this.#sources.hasAny) this.#step('closed');
  }

  setVideoOff(off: boolean): void {
    this.#sources.setVideoOff(off);
  }

  setAudioOff(off: boolean): void {
    this.#sources.setAudioOff(off);
  }

  async setQuality(quality: Quality): Promise<void> {
    this.#quality = quality;
    this.#publishSnapshot();
    await this.#sources.setQuality(quality);
    await this.#connection?.configure(quality).catch(() => undefined);
  }

  goLive(endpoint: WhipEndpoint): void {
    if (!this.#step('started')) return;
    this.#endpoint = endpoint;
    this.#problem = null;
    this.#connect();
  }

  /** Before it is live: back to the preview. Live: the stream ends, and devices are closed. */
  stop(): void {
    const isConnecting = this.#state === 'connecting';
    if (!this.#step('stopped')) return;
    this.#disconnect();
    if (!isConnecting) this.#sources.close();
  }

  /** The network is another one, or is back: an attempt now is better than after the wait. */
  retryNow(): void {
    if (this.#state !== 'reconnecting' || this.#connection) return;
    clearTimeout(this.#retry);
    this.#connect();
  }

  /** The page is left. */
  close(): void {
    this.stop();
    this.#disconnect();
    this.#sources.close();
    this.#step('closed');
  }

  async #open(open: () => Promise<boolean>): Promise<void> {
    if (this.#state === 'asking') return;
    this.#step('asked');
    const isOpen = await open();
    this.#step(isOpen ? 'granted' : 'denied');
    if (!this.#sources.hasAny) this.#step('closed');
  }

  #connect(): void {
    const endpoint = this.#endpoint;
    if (!endpoint) return;
    this.#connection = new WhipConnection({
      ...endpoint,
      ...{ video: this.#sources.video, audio: this.#sources.audio, quality: this.#quality },
      onConnected: () => this.#onConnected(),
      onFailed: (problem) => this.#onFailed(problem),
    });
    this.#connection.start();
  }

  #onConnected(): void {
    this.#failures = 0;
    this.#problem = null;
    this.#liveSince ??= Date.now();
    this.#looking ??= setInterval(() => void this.#look(), LOOK_MS);
    this.#step('connected');
  }

  #onFailed(problem: ConnectionProblem): void {
    this.#connection = null;
    this.#problem = problem;
    this.#figures = null;
    if (this.#step('lost')) {
      this.#lostAt = performance.now();
      this.#failures = 0;
    } else if (this.#state === 'reconnecting') this.#failures += 1;
    else {
      this.#step('failed');
      return;
    }
    this.#planReconnect(this.#failures === 0 ? null : problem);
  }

  #planReconnect(problem: ConnectionProblem | null): void {
    const elapsedMs = performance.now() - this.#lostAt;
    const delayMs = reconnectDelayMs({ elapsedMs, failures: this.#failures, problem });
    if (delayMs !== null) {
      this.#retry = setTimeout(() => this.#connect(), delayMs);
      return;
    }
    this.#disconnect();
    this.#step('gave_up');
    this.#sources.close();
  }

  async #look(): Promise<void> {
    const connection = this.#connection;
    const figures = await connection?.look().catch(() => null);
    if (!isOnAir(this.#state)) return;
    if (figures && connection === this.#connection) this.#figures = figures;
    this.#publishSnapshot();
  }

  #disconnect(): void {
    clearTimeout(this.#retry);
    clearInterval(this.#looking);
    this.#looking = undefined;
    this.#connection?.close();
    this.#connection = null;
    this.#figures = null;
  }

  /** @returns whether the event was possible */
  #step(event: PublisherEvent): boolean {
    const next = publisherMachine.next(this.#state, event);
    if (next === null) return false;
    if (next === 'asking') this.#liveSince = null;
    this.#state = next;
    this.#publishSnapshot();
    return true;
  }

  #readSnapshot(): PublisherSnapshot {
    return {
      ...this.#sources.snapshot,
      ...{ state: this.#state, connectionProblem: this.#problem, quality: this.#quality },
      figures: this.#figures,
      liveSeconds: this.#liveSince === null ? null : Math.floor((Date.now() - this.#liveSince) / 1_000),
    };
  }

  #publishSnapshot(): void {
    this.#snapshot = this.#readSnapshot();
    for (const listener of this.#listeners) listener();
  }
}
