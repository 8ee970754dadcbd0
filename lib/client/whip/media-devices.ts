import type { CaptureProblem } from '@/lib/core/streams/go-live/publisher-state';
import { cameraConstraints, type Quality, screenConstraints } from '@/lib/core/streams/go-live/quality';

export interface MediaDevice {
  readonly id: string;
  /** Empty until the permission is granted. */
  readonly label: string;
}

export interface MediaDeviceLists {
  readonly cameras: readonly MediaDevice[];
  readonly microphones: readonly MediaDevice[];
}

export type Facing = 'user' | 'environment';

/** Selected camera; null: the browser's default. */
export type CameraChoice = { readonly id: string } | { readonly facing: Facing } | null;

export interface MicrophoneChoice {
  /** Device id; null: the browser's default. */
  readonly id: string | null;
  readonly echoCancellation: boolean;
  readonly noiseSuppression: boolean;
}

export const defaultMicrophone: MicrophoneChoice = {
  id: null,
  echoCancellation: true,
  noiseSuppression: true,
};

export async function listDevices(): Promise<MediaDeviceLists> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  const ofKind = (kind: MediaDeviceKind) =>
    devices
      .filter((device) => device.kind === kind && device.deviceId !== '')
      .map(({ deviceId, label }) => ({ id: deviceId, label }));
  return { cameras: ofKind('videoinput'), microphones: ofKind('audioinput') };
}

export const openCamera = (choice: CameraChoice, quality: Quality): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({ video: cameraTrack(choice, quality) });

export const openMicrophone = (choice: MicrophoneChoice): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({ audio: microphoneTrack(choice) });

/** Asks for camera and microphone with one prompt. If the device has only one of them, that one is opened. */
export async function openCameraAndMicrophone(
  camera: CameraChoice,
  microphone: MicrophoneChoice,
  quality: Quality,
): Promise<MediaStream> {
  const [video, audio] = [cameraTrack(camera, quality), microphoneTrack(microphone)];
  try {
    return await navigator.mediaDevices.getUserMedia({ video, audio });
  } catch (error) {
    if (problemOfError(error) !== 'no_device') throw error;
    const kinds = new Set((await navigator.mediaDevices.enumerateDevices()).map(({ kind }) => kind));
    const [hasCamera, hasMicrophone] = [kinds.has('videoinput'), kinds.has('audioinput')];
    if (hasCamera === hasMicrophone) throw error;
    return navigator.mediaDevices.getUserMedia(hasCamera ? { video } : { audio });
  }
}

/** Asks for a screen, a window or a tab, with its audio where the browser can share it. */
export const startScreenShare = (quality: Quality): Promise<MediaStream> =>
  navigator.mediaDevices.getDisplayMedia({
    video: screenConstraints(quality),
    // The audio of a tab is not a voice: echo cancellation and noise suppression would distort music.
    audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
  });

export const canShareScreen = (): boolean =>
  typeof navigator !== 'undefined' &&
  typeof (navigator.mediaDevices as Partial<MediaDevices> | undefined)?.getDisplayMedia === 'function';

/** Stops all tracks, which switches the devices off. */
export function stopTracks(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** Reason for an error of `getDisplayMedia`: the dialog was closed, or the system denies screen recording. */
export const problemOfScreen = (error: unknown): CaptureProblem => {
  const problem = problemOfError(error);
  return problem === 'permission_denied' ? 'screen_denied' : problem;
};

/** Reason for an error of `getUserMedia`. */
export function problemOfError(error: unknown): CaptureProblem {
  switch (error instanceof Error || error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'permission_denied';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'no_device';
    case 'NotReadableError':
    case 'AbortError':
      return 'device_in_use';
    case 'TypeError':
    case 'NotSupportedError':
      return 'not_supported';
    default:
      return 'capture_failed';
  }
}

function cameraTrack(choice: CameraChoice, quality: Quality): MediaTrackConstraints {
  const constraints = cameraConstraints(quality);
  if (choice === null) return constraints;
  return 'id' in choice
    ? { ...constraints, deviceId: { exact: choice.id } }
    : { ...constraints, facingMode: { ideal: choice.facing } };
}

const microphoneTrack = ({ id, ...processing }: MicrophoneChoice): MediaTrackConstraints => ({
  ...processing,
  ...(id === null ? {} : { deviceId: { exact: id } }),
});
