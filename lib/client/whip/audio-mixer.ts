import { peakOf } from '@/lib/core/streams/go-live/audio-level';

/** About 40 ms. */
const METER_SAMPLES = 2_048;

/**
 * Mixes the microphone and the audio of a screen into one track, which stays the same whatever is mixed: no source that
 * comes or goes changes the connection.
 */
export class AudioMixer {
  readonly #context = new AudioContext();
  readonly #output = this.#context.createGain();
  readonly #meter = this.#context.createAnalyser();
  readonly #samples = new Float32Array(METER_SAMPLES);
  readonly #sources = new Map<'microphone' | 'screen', MediaStreamAudioSourceNode>();
  readonly track: MediaStreamTrack;

  constructor() {
    const destination = this.#context.createMediaStreamDestination();
    const [track] = destination.stream.getAudioTracks();
    if (!track) throw new Error('the audio context made no track');
    this.track = track;
    this.#meter.fftSize = METER_SAMPLES;
    this.#output.connect(destination);
    // A phone call interrupts it.
    this.#context.addEventListener('statechange', () => this.resume());
  }

  /** Browsers start it after a click only. */
  resume(): void {
    if (this.#context.state !== 'running' && this.#context.state !== 'closed')
      void this.#context.resume().catch(() => undefined);
  }

  /** @param stream null: this source is left out */
  mix(source: 'microphone' | 'screen', stream: MediaStream | null): void {
    this.#sources.get(source)?.disconnect();
    this.#sources.delete(source);
    if (!stream || stream.getAudioTracks().length === 0) return;
    const node = this.#context.createMediaStreamSource(stream);
    node.connect(this.#output);
    if (source === 'microphone') node.connect(this.#meter);
    this.#sources.set(source, node);
    this.resume();
  }

  set muted(muted: boolean) {
    this.#output.gain.value = muted ? 0 : 1;
  }

  /** The loudest sample of the microphone lately, 0 to 1, whether it is muted or not. */
  peak(): number {
    if (!this.#sources.has('microphone')) return 0;
    this.#meter.getFloatTimeDomainData(this.#samples);
    return peakOf(this.#samples);
  }

  close(): void {
    for (const node of this.#sources.values()) node.disconnect();
    this.#sources.clear();
    this.track.stop();
    void this.#context.close().catch(() => undefined);
  }
}
