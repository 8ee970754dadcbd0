import { peakOf } from '@/lib/core/streams/go-live/audio-level';

/** Samples per measurement, about 40 ms. */
const METER_SAMPLES = 2_048;

/**
 * Mixes the microphone and the audio of a screen into one track. The track never changes, so adding or removing a source
 * needs no renegotiation.
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
    // A phone call suspends the audio context.
    this.#context.addEventListener('statechange', () => this.resume());
  }

  /** Resumes the audio context, which browsers allow only after a click. */
  resume(): void {
    if (this.#context.state !== 'running' && this.#context.state !== 'closed')
      void this.#context.resume().catch(() => undefined);
  }

  /**
   * Sets the stream of a source.
   * @param stream null removes the source
   */
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

  set muted(isMuted: boolean) {
    this.#output.gain.value = isMuted ? 0 : 1;
  }

  /** Current peak level of the microphone, 0 to 1, even while muted. */
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
