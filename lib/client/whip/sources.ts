import type { CaptureProblem } from '@/lib/core/streams/go-live/publisher-state';
import { cameraConstraints, type PictureSource, type Quality } from '@/lib/core/streams/go-live/quality';
import {
  type CameraChoice,
  listDevices,
  type MicrophoneChoice,
  openCamera,
  openCameraAndMicrophone,
  openMicrophone,
  openScreen,
  problemOfError,
  problemOfScreen,
  stopTracks,
} from './media-devices';
import { SoundMixer } from './sound-mixer';
import { noSources, type SourcesSnapshot } from './sources-snapshot';

interface SourcesEvents {
  readonly onChange: () => void;
  /** Another picture is to be sent; null: none. */
  readonly onPicture: (track: MediaStreamTrack | null) => void;
}

/** Camera, screen and microphone of a person, from their permission until they are closed. */
export class Sources {
  readonly #events: SourcesEvents;
  #snapshot = noSources;
  #quality: Quality;
  #mixer: SoundMixer | null = null;
  #picture: MediaStream | null = null;
  #microphone: MediaStream | null = null;
  #camera: CameraChoice = null;
  /** The last request of the person wins over those that are answered later. */
  readonly #requests = { picture: 0, microphone: 0 };
  readonly #followDevices = () => void this.#listDevices();

  constructor(quality: Quality, events: SourcesEvents) {
    this.#quality = quality;
    this.#events = events;
  }

  get snapshot(): SourcesSnapshot {
    return this.#snapshot;
  }

  get picture(): MediaStreamTrack | null {
    return this.#picture?.getVideoTracks()[0] ?? null;
  }

  /** The one track of all sounds; silent without any. */
  get sound(): MediaStreamTrack {
    return this.#mixed().track;
  }

  get hasAny(): boolean {
    return this.#picture !== null || this.#microphone !== null;
  }

  peak(): number {
    return this.#mixer?.peak() ?? 0;
  }

  /** @returns whether something was opened */
  async openCameraAndMicrophone(): Promise<boolean> {
    const open = () => openCameraAndMicrophone(this.#camera, this.#snapshot.microphone, this.#quality);
    return this.#attempt('picture', open, (stream) => {
      const [video, audio] = [stream.getVideoTracks(), stream.getAudioTracks()];
      if (video.length > 0) this.#setPicture('camera', new MediaStream(video));
      if (audio.length > 0) this.#setMicrophone(new MediaStream(audio));
    });
  }

  async openCamera(choice: CameraChoice = this.#camera): Promise<boolean> {
    // Phones open one camera at a time.
    if (this.#snapshot.source === 'camera') this.#setPicture(null, null);
    return this.#attempt(
      'picture',
      () => openCamera(choice, this.#quality),
      (stream) => {
        this.#camera = choice;
        this.#setPicture('camera', stream);
      },
    );
  }

  async openScreen(): Promise<boolean> {
    return this.#attempt(
      'picture',
      () => openScreen(this.#quality),
      (stream) => this.#setPicture('screen', stream),
      problemOfScreen,
    );
  }

  async openMicrophone(choice: MicrophoneChoice = this.#snapshot.microphone): Promise<boolean> {
    return this.#attempt(
      'microphone',
      () => openMicrophone(choice),
      (stream) => {
        this.#set({ microphone: choice });
        this.#setMicrophone(stream);
      },
    );
  }

  closeMicrophone(): void {
    this.#setMicrophone(null);
  }

  setPictureOff(isPictureOff: boolean): void {
    this.#set({ isPictureOff });
    if (this.picture) this.picture.enabled = !isPictureOff;
  }

  setSoundOff(isSoundOff: boolean): void {
    this.#set({ isSoundOff });
    if (this.#mixer) this.#mixer.muted = isSoundOff;
  }

  async setQuality(quality: Quality): Promise<void> {
    this.#quality = quality;
    if (this.#snapshot.source === 'camera')
      await this.picture?.applyConstraints(cameraConstraints(quality)).catch(() => undefined);
  }

  /** Devices are switched off. They can be opened again. */
  close(): void {
    this.#requests.picture += 1;
    this.#requests.microphone += 1;
    navigator.mediaDevices.removeEventListener('devicechange', this.#followDevices);
    stopTracks(this.#picture);
    stopTracks(this.#microphone);
    this.#mixer?.close();
    [this.#picture, this.#microphone, this.#mixer] = [null, null, null];
    const { microphone, cameras, microphones, cameraId } = this.#snapshot;
    this.#snapshot = { ...noSources, microphone, cameras, microphones, cameraId };
    this.#events.onChange();
  }

  /** Opens what the person asked for. It is dropped if they asked for something else meanwhile. */
  async #attempt(
    kind: 'picture' | 'microphone',
    open: () => Promise<MediaStream>,
    use: (stream: MediaStream) => void,
    explain: (error: unknown) => CaptureProblem = problemOfError,
  ): Promise<boolean> {
    const request = ++this.#requests[kind];
    // Within the click that browsers want to see.
    this.#mixed().resume();
    const stream = await open().catch(explain);
    const isCurrent = request === this.#requests[kind];
    if (typeof stream === 'string') {
      if (isCurrent) this.#report(stream);
      return false;
    }
    if (!isCurrent) {
      stopTracks(stream);
      return false;
    }
    use(stream);
    this.#set({ captureProblem: null });
    navigator.mediaDevices.addEventListener('devicechange', this.#followDevices);
    await this.#listDevices();
    return true;
  }

  #mixed(): SoundMixer {
    this.#mixer ??= new SoundMixer();
    this.#mixer.muted = this.#snapshot.isSoundOff;
    return this.#mixer;
  }

  #setPicture(source: PictureSource | null, stream: MediaStream | null): void {
    if (this.#picture !== stream) stopTracks(this.#picture);
    this.#picture = stream;
    const track = this.picture;
    if (track) {
      track.enabled = !this.#snapshot.isPictureOff;
      track.contentHint = source === 'screen' ? 'detail' : 'motion';
      track.addEventListener('ended', () => this.#onPictureEnded(stream));
    }
    const { facingMode, deviceId = null } = track?.getSettings() ?? {};
    this.#mixed().mix('screen', source === 'screen' ? stream : null);
    this.#set({
      ...{ source, preview: stream },
      isMirrored: source === 'camera' && facingMode !== 'environment',
      cameraId: source === 'camera' ? deviceId : this.#snapshot.cameraId,
      hasScreenSound: source === 'screen' && (stream?.getAudioTracks().length ?? 0) > 0,
    });
    this.#events.onPicture(track);
  }

  #setMicrophone(stream: MediaStream | null): void {
    if (this.#microphone !== stream) stopTracks(this.#microphone);
    this.#microphone = stream;
    const [track] = stream?.getAudioTracks() ?? [];
    track?.addEventListener('ended', () => this.#onMicrophoneEnded(stream));
    this.#mixed().mix('microphone', stream);
    const id = track?.getSettings().deviceId ?? this.#snapshot.microphone.id;
    this.#set({ hasMicrophone: stream !== null, microphone: { ...this.#snapshot.microphone, id } });
  }

  /** The browser's own button ends a screen; a camera was unplugged. */
  #onPictureEnded(stream: MediaStream | null): void {
    if (stream !== this.#picture) return;
    const { source } = this.#snapshot;
    this.#setPicture(null, null);
    this.#report(source === 'screen' ? 'screen_ended' : 'camera_ended');
  }

  #onMicrophoneEnded(stream: MediaStream | null): void {
    if (stream !== this.#microphone) return;
    this.#setMicrophone(null);
    this.#report('microphone_ended');
  }

  async #listDevices(): Promise<void> {
    const lists = await listDevices().catch(() => null);
    if (lists) this.#set(lists);
  }

  #report(captureProblem: CaptureProblem): void {
    this.#set({ captureProblem });
  }

  #set(change: Partial<SourcesSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    this.#events.onChange();
  }
}
