import type { CaptureProblem } from '@/lib/core/streams/go-live/publisher-state';
import { cameraConstraints, type VideoSource, type Quality } from '@/lib/core/streams/go-live/quality';
import {
  type CameraChoice,
  listDevices,
  type MicrophoneChoice,
  openCamera,
  openCameraAndMicrophone,
  openMicrophone,
  startScreenShare,
  problemOfError,
  problemOfScreen,
  stopTracks,
} from './media-devices';
import { AudioMixer } from './audio-mixer';
import { noSources, type SourcesSnapshot } from './sources-snapshot';

interface SourcesEvents {
  readonly onChange: () => void;
  /** Called with the new video track; null if no camera or screen is open. */
  readonly onVideo: (track: MediaStreamTrack | null) => void;
}

/** Camera, screen and microphone, from the permission until they are closed. */
export class Sources {
  readonly #events: SourcesEvents;
  #snapshot = noSources;
  #quality: Quality;
  #mixer: AudioMixer | null = null;
  #video: MediaStream | null = null;
  #microphone: MediaStream | null = null;
  #camera: CameraChoice = null;
  /** Number of the latest request per kind; the results of earlier requests are dropped. */
  readonly #requests = { video: 0, microphone: 0 };
  readonly #onDeviceChange = () => void this.#listDevices();

  constructor(quality: Quality, events: SourcesEvents) {
    this.#quality = quality;
    this.#events = events;
  }

  get snapshot(): SourcesSnapshot {
    return this.#snapshot;
  }

  get video(): MediaStreamTrack | null {
    return this.#video?.getVideoTracks()[0] ?? null;
  }

  /** The mixed audio of microphone and screen; silence without both. */
  get audio(): MediaStreamTrack {
    return this.#openMixer().track;
  }

  get hasSource(): boolean {
    return this.#video !== null || this.#microphone !== null;
  }

  /** Current peak level of the microphone, 0 to 1, even while the audio is off. */
  peak(): number {
    return this.#mixer?.peak() ?? 0;
  }

  /** @returns whether a device was opened */
  async openCameraAndMicrophone(): Promise<boolean> {
    const open = () => openCameraAndMicrophone(this.#camera, this.#snapshot.microphone, this.#quality);
    return this.#openSource('video', open, (stream) => {
      const [video, audio] = [stream.getVideoTracks(), stream.getAudioTracks()];
      if (video.length > 0) this.#setVideo('camera', new MediaStream(video));
      if (audio.length > 0) this.#setMicrophone(new MediaStream(audio));
    });
  }

  async openCamera(choice: CameraChoice = this.#camera): Promise<boolean> {
    // The current camera is closed first, because phones open only one camera at a time.
    if (this.#snapshot.source === 'camera') this.#setVideo(null, null);
    return this.#openSource(
      'video',
      () => openCamera(choice, this.#quality),
      (stream) => {
        this.#camera = choice;
        this.#setVideo('camera', stream);
      },
    );
  }

  async startScreenShare(): Promise<boolean> {
    return this.#openSource(
      'video',
      () => startScreenShare(this.#quality),
      (stream) => this.#setVideo('screen', stream),
      problemOfScreen,
    );
  }

  async openMicrophone(choice: MicrophoneChoice = this.#snapshot.microphone): Promise<boolean> {
    return this.#openSource(
      'microphone',
      () => openMicrophone(choice),
      (stream) => {
        this.#updateSnapshot({ microphone: choice });
        this.#setMicrophone(stream);
      },
    );
  }

  closeMicrophone(): void {
    this.#setMicrophone(null);
  }

  setVideoOff(isVideoOff: boolean): void {
    this.#updateSnapshot({ isVideoOff });
    if (this.video) this.video.enabled = !isVideoOff;
  }

  setAudioOff(isAudioOff: boolean): void {
    this.#updateSnapshot({ isAudioOff });
    if (this.#mixer) this.#mixer.muted = isAudioOff;
  }

  async setQuality(quality: Quality): Promise<void> {
    this.#quality = quality;
    if (this.#snapshot.source === 'camera')
      await this.video?.applyConstraints(cameraConstraints(quality)).catch(() => undefined);
  }

  /** Closes all devices. They can be opened again. */
  close(): void {
    this.#requests.video += 1;
    this.#requests.microphone += 1;
    navigator.mediaDevices.removeEventListener('devicechange', this.#onDeviceChange);
    stopTracks(this.#video);
    stopTracks(this.#microphone);
    this.#mixer?.close();
    [this.#video, this.#microphone, this.#mixer] = [null, null, null];
    const { microphone, cameras, microphones, cameraId } = this.#snapshot;
    this.#snapshot = { ...noSources, microphone, cameras, microphones, cameraId };
    this.#events.onChange();
  }

  /**
   * Opens a source. If a later request started meanwhile, the opened stream is closed.
   * @returns whether the source was opened
   */
  async #openSource(
    kind: 'video' | 'microphone',
    open: () => Promise<MediaStream>,
    onOpened: (stream: MediaStream) => void,
    problemOf: (error: unknown) => CaptureProblem = problemOfError,
  ): Promise<boolean> {
    const request = ++this.#requests[kind];
    // Browsers start audio only within a click.
    this.#openMixer().resume();
    const stream = await open().catch(problemOf);
    const isCurrent = request === this.#requests[kind];
    if (typeof stream === 'string') {
      if (isCurrent) this.#report(stream);
      return false;
    }
    if (!isCurrent) {
      stopTracks(stream);
      return false;
    }
    onOpened(stream);
    this.#updateSnapshot({ captureProblem: null });
    navigator.mediaDevices.addEventListener('devicechange', this.#onDeviceChange);
    await this.#listDevices();
    return true;
  }

  #openMixer(): AudioMixer {
    this.#mixer ??= new AudioMixer();
    this.#mixer.muted = this.#snapshot.isAudioOff;
    return this.#mixer;
  }

  #setVideo(source: VideoSource | null, stream: MediaStream | null): void {
    if (this.#video !== stream) stopTracks(this.#video);
    this.#video = stream;
    const track = this.video;
    if (track) {
      track.enabled = !this.#snapshot.isVideoOff;
      // `detail` keeps text sharp, `motion` keeps the frame rate.
      track.contentHint = source === 'screen' ? 'detail' : 'motion';
      track.addEventListener('ended', () => this.#onVideoEnded(stream));
    }
    const { facingMode, deviceId = null } = track?.getSettings() ?? {};
    this.#openMixer().mix('screen', source === 'screen' ? stream : null);
    this.#updateSnapshot({
      source,
      previewStream: stream,
      isMirrored: source === 'camera' && facingMode !== 'environment',
      cameraId: source === 'camera' ? deviceId : this.#snapshot.cameraId,
      hasScreenAudio: source === 'screen' && (stream?.getAudioTracks().length ?? 0) > 0,
    });
    this.#events.onVideo(track);
  }

  #setMicrophone(stream: MediaStream | null): void {
    if (this.#microphone !== stream) stopTracks(this.#microphone);
    this.#microphone = stream;
    const [track] = stream?.getAudioTracks() ?? [];
    track?.addEventListener('ended', () => this.#onMicrophoneEnded(stream));
    this.#openMixer().mix('microphone', stream);
    const id = track?.getSettings().deviceId ?? this.#snapshot.microphone.id;
    this.#updateSnapshot({
      hasMicrophone: stream !== null,
      microphone: { ...this.#snapshot.microphone, id },
    });
  }

  /** Handles the end of a track: the browser's own button ended the screen share, or the camera was unplugged. */
  #onVideoEnded(stream: MediaStream | null): void {
    if (stream !== this.#video) return;
    const { source } = this.#snapshot;
    this.#setVideo(null, null);
    this.#report(source === 'screen' ? 'screen_ended' : 'camera_ended');
  }

  #onMicrophoneEnded(stream: MediaStream | null): void {
    if (stream !== this.#microphone) return;
    this.#setMicrophone(null);
    this.#report('microphone_ended');
  }

  async #listDevices(): Promise<void> {
    const lists = await listDevices().catch(() => null);
    if (lists) this.#updateSnapshot(lists);
  }

  #report(captureProblem: CaptureProblem): void {
    this.#updateSnapshot({ captureProblem });
  }

  #updateSnapshot(change: Partial<SourcesSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    this.#events.onChange();
  }
}
